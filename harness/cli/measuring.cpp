#include "cli/measuring.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/pipeline.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "environment/run_lock.h"

namespace stepgate {

int measure_cases(const Context& context,
                  const std::function<void(const ManifestCase&, const Measurement&)>& on_measured) {
  const Options& options = context.options;
  const auto cases = select_cases(context.manifest, options.arguments, options.filters);
  const std::atomic<int>& interrupted = watch_for_interrupts();
  const RunLock lock =
      RunLock::acquire({default_run_lock_path(), fmt::format("stepgate {} ({} cases)", options.command, cases.size()),
                        options.wait_lock_s});
  for (const ManifestCase& entry : cases) {
    const Measurement measurement = measure(context, entry, {progress_line(options), &interrupted});
    clear_progress_line(options);
    if (const int number = interrupted.load(); number != 0) {
      fmt::print(stderr, "stepgate: stopped by signal {}; what was measured so far is in {}\n", number,
                 result_folder(context, entry.name).string());
      return 128 + number;
    }
    on_measured(entry, measurement);
  }
  return 0;
}

}  // namespace stepgate
