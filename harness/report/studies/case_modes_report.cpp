#include "report/studies/case_modes_report.h"

#include <fmt/format.h>

#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

Status colour_of_mode(NeededMode mode) { return mode == NeededMode::counts ? Status::pass : Status::inconclusive; }

}  // namespace

std::string render_case_modes(const CaseModes& modes, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(fmt::format("--device {}: which cases can be counted without values", modes.device)));
  for (const CaseMode& each : modes.cases) {
    page.line(fmt::format("{}: {}", page.clean(each.case_name),
                          page.painted(std::string(text_of(each.mode)), colour_of_mode(each.mode))));
    page.paragraph("", each.reason);
  }
  return page.text();
}

}  // namespace stepgate
