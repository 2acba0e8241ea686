#include <array>

#include "core/error.h"
#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

/// A steady drift adds the same time to the outer two blocks as to the inner two.
constexpr std::array<bool, 4> abba = {false, true, true, false};

}  // namespace

std::vector<LoggingBlock> run_logging(TimedRun& run) {
  require_whole_windows({"logging", run.steps.logging}, run.steps.window * std::ssize(abba));
  StepSwitches* const switches = run.actions.abilities().switches;
  if (switches == nullptr) {
    throw Error(ErrorKind::usage, "pass logging cannot run over a loop of its own", "write a workload");
  }
  std::vector<LoggingBlock> blocks;
  blocks.reserve(static_cast<std::size_t>(run.steps.logging / run.steps.window));
  StepWindow window(run, run.steps.window);
  for (std::int64_t done = 0; done < run.steps.logging; done += run.steps.window) {
    const bool on = abba[blocks.size() % abba.size()];
    switches->set_logging(on);
    window.run(run.steps.window, false);  // its wall time is all that counts
    blocks.push_back({on, window.wall_ns(), run.steps.window, window.note_skipped_update()});
  }
  switches->set_logging(true);
  return blocks;
}

}  // namespace stepgate
