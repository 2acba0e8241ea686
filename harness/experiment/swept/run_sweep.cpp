#include "experiment/swept/run_sweep.h"

#include <chrono>

#include "experiment/swept/planned_sweep.h"
#include "experiment/swept/sweep_rounds.h"
#include "json/studies/sweep_json.h"
#include "system/elapsed.h"
#include "system/files/file.h"

namespace stepgate {

namespace fs = std::filesystem;

fs::path sweep_folder(const Project& project, const std::string& case_name) {
  return project.out / "sweep" / case_name;
}

Sweep run_sweep(const Project& project, const SweepOptions& options, const Caller& caller) {
  const fs::path folder = sweep_folder(project, options.case_name);
  const SweptCase swept = open_sweep(project, options, folder);
  const QuietHost quiet(options.host, {"sweep", {swept.entry}, options.measure.threads.value_or(1)}, caller);
  const Run run{project, options.measure, quiet.measured(), caller};
  const LaunchRequest request = sweep_request(run, swept);

  const auto start = std::chrono::steady_clock::now();
  SweepSamples samples(empty_sweep(swept.entry.name, swept.plan, request.plan));
  const std::size_t planned = samples.sweep().orders.size();
  SweepRounds rounds(caller, request, folder, planned);
  for (std::size_t round = 0; round < planned && caller.interrupted.load() == 0; ++round) {
    rounds.measure(round, samples);
  }
  Sweep sweep = std::move(samples).finished();
  sweep.runner_class = project.runner_class;
  sweep.utc = project.start.utc;
  sweep.commit = project.commit;
  sweep.interrupted = caller.interrupted.load() != 0;
  sweep.seconds = seconds_since(start);
  rank_sweep(swept.policy, sweep);
  write_file_atomically(folder / "sweep.json", to_text(sweep));
  return sweep;
}

}  // namespace stepgate
