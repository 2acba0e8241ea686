#include "cli/commands/distribution_view.h"

#include "cli/output.h"
#include "core/error.h"
#include "experiment/results/times_of_measurement.h"
#include "report/gate/distribution_report.h"

namespace stepgate {

void show_distributions(const RunReport& report, const ConsoleStyle& style) {
  std::string separator;
  for (const Outcome& outcome : report.outcomes) {
    const std::string page = render_times(stored_times(outcome), style);
    if (page.empty()) continue;
    print_page(stdout, separator + page, style);
    separator = "\n";
  }
  if (!separator.empty()) return;
  throw Error(ErrorKind::usage, "--distribution: no stored verdict holds times",
              "measure the timed half first: stepgate gate --tier timed");
}

}  // namespace stepgate
