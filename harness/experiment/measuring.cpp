#include "experiment/measuring.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "core/error.h"
#include "experiment/pipeline.h"
#include "experiment/selection.h"

namespace stepgate {

namespace {

/// Without those that have nothing of the tier. A plain Google Benchmark program counts nothing: in a suite that is
/// said and passed over, asked for alone it is a mistake, and never green.
std::vector<ManifestCase> measurable(std::vector<ManifestCase> cases, const Options& options) {
  if (options.tier != "exact") return cases;
  const auto first = std::stable_partition(cases.begin(), cases.end(),
                                           [](const ManifestCase& entry) { return entry.benchmark.empty(); });
  if (first == cases.begin()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no exact half: it is a plain Google Benchmark program", cases.front().name),
                "gate its times: --tier timed");
  }
  for (auto entry = first; entry != cases.end(); ++entry) {
    fmt::print(stderr, "stepgate: {} has no exact half (a plain Google Benchmark program)\n", entry->name);
  }
  cases.erase(first, cases.end());
  return cases;
}

}  // namespace

std::vector<ManifestCase> cases_to_measure(const Context& context) {
  const Options& options = context.options;
  return measurable(select_cases(context.manifest, options.arguments, options.filters), options);
}

int measure_cases(const Context& context, const std::vector<ManifestCase>& cases,
                  const std::function<void(const ManifestCase&, const Measurement&)>& on_measured) {
  const Options& options = context.options;
  const std::atomic<int>& interrupted = watch_for_interrupts();
  for (const ManifestCase& entry : cases) {
    const Measurement measurement = measure(context, entry, {progress_line(options), &interrupted});
    clear_progress_line(options);
    if (const int number = interrupted.load(); number != 0) {
      fmt::print(stderr, "stepgate: stopped by signal {}; what was measured so far is in {}\n", number,
                 result_folder(context, entry.name).string());
      return 128 + number;
    }
    on_measured(entry, measurement);
    if (const int number = interrupted.load(); number != 0) {
      fmt::print(stderr, "stepgate: stopped by signal {}; results of finished cases are in {}\n", number,
                 options.out.string());
      return 128 + number;
    }
  }
  return 0;
}

}  // namespace stepgate
