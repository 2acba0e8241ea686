#include "cli/commands/distribution_view.h"

#include "cli/output.h"
#include "core/error.h"
#include "report/gate/distribution_report.h"

namespace stepgate {

void show_distributions(const std::vector<MeasuredTimes>& cases, const ConsoleStyle& style) {
  std::string separator;
  for (const MeasuredTimes& times : cases) {
    const std::string page = render_times(times, style);
    if (page.empty()) continue;
    print_page(stdout, separator + page, style);
    separator = "\n";
  }
  if (!separator.empty()) return;
  throw Error(ErrorKind::usage, "--distribution: no stored result holds times of a clean process",
              "measure the timed half first: stepgate gate --tier timed");
}

}  // namespace stepgate
