#include "cli/commands/distribution_view.h"

#include <algorithm>
#include <optional>

#include "cli/output.h"
#include "cli/show.h"
#include "core/error.h"
#include "report/studies/distribution_report.h"

namespace stepgate {
namespace {

std::optional<double> current_of(const CaseVerdict& verdict, std::string_view metric) {
  const auto at = std::find_if(verdict.metrics.begin(), verdict.metrics.end(),
                               [&](const MetricVerdict& each) { return each.metric == metric; });
  return at == verdict.metrics.end() ? std::nullopt : at->current;
}

}  // namespace

void show_distributions(const Options& options, const RunReport& report) {
  const ConsoleStyle style = console_style(options);
  std::string separator;
  for (const Outcome& outcome : report.outcomes) {
    const MeasuredTimes times{.case_name = outcome.verdict.case_name,
                              .distributions = outcome.distributions,
                              .tflop_per_s = current_of(outcome.verdict, "tflop_per_s"),
                              .mfu_ratio = current_of(outcome.verdict, "mfu_ratio")};
    const std::string page = render_times(times, style);
    if (page.empty()) continue;
    print_page(stdout, separator + page, style);
    separator = "\n";
  }
  if (!separator.empty()) return;
  throw Error(ErrorKind::usage, "--distribution: no stored verdict holds times",
              "measure the timed half first: stepgate gate --tier timed");
}

}  // namespace stepgate
