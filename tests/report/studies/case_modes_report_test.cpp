#include "report/studies/case_modes_report.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(CaseModesReport, HasALineACaseAndTheReasonBelow) {
  ConsoleStyle style;
  style.width = 100;
  const CaseModes modes{"emulated:h100",
                        {{"a/b/c", NeededMode::counts},
                         {"d/e/f", NeededMode::values, "after aten::item it goes on with aten::mul"},
                         {"g/h/i", NeededMode::unknown, "killed by signal 11"}}};
  const std::string page = render_case_modes(modes, style);
  for (const char* text :
       {"--device emulated:h100", "a/b/c: counts are enough\n", "d/e/f: needs values\n",
        "after aten::item it goes on with aten::mul", "g/h/i: cannot tell\n", "killed by signal 11"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text << " is not in\n" << page;
  }
}

}  // namespace
}  // namespace stepgate
