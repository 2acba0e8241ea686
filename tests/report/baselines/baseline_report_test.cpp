#include "report/baselines/baseline_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(BaselineReport, ShowsWhatIsStored) {
  Baseline baseline;
  baseline.case_name = "suite/case/tiny";
  baseline.runner_class = "portable";
  baseline.key = {{"isa", "AVX2"}, {"seed", "7"}};
  baseline.provenance.utc = "2026-11-01T00:00:00Z";
  baseline.provenance.commit = "1111111";
  baseline.provenance.options = "--seed 7";
  baseline.provenance.reason = "fused optimizer";
  BaselineDiff values;
  values.anchor_from = "1111111, 2026-11-01";
  values.rows = {{.metric = "operators_per_step", .before = {}, .after = 2155, .change = {}, .since_anchor = {}}};
  const std::string text = render_baseline(baseline, values, ConsoleStyle{});
  for (const char* part :
       {"suite/case/tiny (portable)", "2026-11-01T00:00:00Z, commit 1111111, --seed 7: fused optimizer",
        "isa=AVX2, seed=7", "operators", "2 155", "1111111, 2026-11-01"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  for (const char* of_a_diff : {"pending", "change", "committed", "first"})
    EXPECT_THAT(text, Not(HasSubstr(of_a_diff)));
}

}  // namespace
}  // namespace stepgate
