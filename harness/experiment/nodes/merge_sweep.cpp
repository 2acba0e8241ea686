#include "experiment/nodes/merge_sweep.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/nodes/node_place.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/swept/run_sweep.h"
#include "experiment/swept/sweep_samples.h"
#include "json/studies/sweep_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

void refuse_another_grid(const NodeResult& round, std::size_t settings) {
  if (round.settings.size() == settings) return;
  throw Error(ErrorKind::measure,
              fmt::format("round {} of the sweep has {}, its plan {}", round.index,
                          counted(round.settings.size(), "setting"), settings),
              "remove its file below rounds/ in the plan folder: the round is measured again");
}

/// In the order in which the node ran the settings.
void add_round(const NodeResult& round, const fs::path& folder, SweepSamples& samples) {
  refuse_another_grid(round, samples.sweep().settings.size());
  const auto number = static_cast<std::size_t>(round.index);
  for (const std::size_t setting : samples.sweep().orders.at(number)) {
    const Measurement& measured = round.settings[setting];
    if (measured.replicates.empty()) continue;
    write_measurement(folder / fmt::format("runs/r{:03}-s{:03}", number, setting), measured);
    samples.add(number, setting, measured);
  }
}

void tell_missing(const OpenedPlan& opened, const PlanSequence& rounds, std::vector<Notice>& notices) {
  if (rounds.missing.empty()) return;
  notices.push_back({Severity::warning,
                     fmt::format("{} did not come: the ranking rests on {}", counted(rounds.missing.size(), "round"),
                                 rounds.pairs.size()),
                     fmt::format("run the shards again: stepgate shard run {} N", opened.folder.string())});
}

}  // namespace

NodeSweep merge_sweep(const Run& run, const OpenedPlan& opened, const SweepEnd& end) {
  const PlannedCase& planned = opened.plan.cases.front();
  NodeResults results(opened);
  results.read_new();
  NodeSweep merged;
  if (const std::string unlike = allowed_difference(opened, results); !unlike.empty()) {
    merged.notices.push_back({Severity::warning, "the nodes differ: " + unlike,
                              "each round compares settings on one node, and their ranking may differ between nodes"});
  }
  for (Notice& notice : uncounted_results(results)) merged.notices.push_back(std::move(notice));
  const PlanSequence rounds = results.sequence(planned, true);
  if (rounds.pairs.empty() && end.interrupted_by == 0) {
    throw Error(ErrorKind::measure, fmt::format("{}: no node handed back any result", planned.plan.case_name),
                fmt::format("run the shards: stepgate shard run {} 1", opened.folder.string()));
  }
  if (end.interrupted_by == 0) tell_missing(opened, rounds, merged.notices);

  const SweptCase swept = swept_case_to_rank(run.project, opened.plan);
  const fs::path folder = sweep_folder(run.project, planned.plan.case_name);
  prepare_result_folder(folder);
  SweepSamples samples(empty_sweep(planned.plan.case_name, swept.plan, planned.plan.plan));
  std::vector<std::string> places(samples.sweep().orders.size());
  for (const NodeResult* round : rounds.pairs) {
    add_round(*round, folder, samples);
    places.at(static_cast<std::size_t>(round->index)) = round->place;
  }
  merged.sweep = std::move(samples).finished();
  merged.sweep.places = std::move(places);
  merged.sweep.runner_class = opened.plan.runner_class;
  merged.sweep.utc = planned.plan.utc;
  merged.sweep.commit = planned.plan.head_commit;
  merged.sweep.interrupted = end.interrupted_by != 0;
  merged.sweep.seconds = end.seconds;
  rank_sweep(swept.policy, merged.sweep);
  write_file_atomically(folder / "sweep.json", to_text(merged.sweep));
  return merged;
}

}  // namespace stepgate
