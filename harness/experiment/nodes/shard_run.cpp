#include "experiment/nodes/shard_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/nodes/node_decisions.h"
#include "experiment/nodes/node_place.h"
#include "experiment/nodes/sweep_share.h"
#include "experiment/pairs/measure_in_pairs.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/plan/this_machine.h"
#include "launch/staged_builds.h"
#include "system/files/fresh_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::vector<ManifestCase> entries_of(const Project& project, const ShardPlan& plan, const ShardWork& work) {
  std::vector<ManifestCase> entries;
  for (const CaseShare& share : work.shares) {
    entries.push_back(case_named(project.manifest, share.case_name));
    // All settings are measured on as many CPUs as the most demanding one needs.
    if (plan.sweep) entries.back().cpus = planned_case(plan, share.case_name).plan.plan.cpus;
  }
  return entries;
}

std::int64_t most_threads(const ShardPlan& plan) {
  std::int64_t most = 1;
  for (const PlannedCase& planned : plan.cases) most = std::max(most, planned.plan.plan.threads);
  return most;
}

/// All that one node does for one plan.
class NodeShare {
 public:
  NodeShare(const Run& run, const OpenedPlan& opened, const ShardWork& work)
      : run_(run),
        opened_(opened),
        work_(work),
        place_(place_here(run.host)),
        results_(opened),
        decisions_(run, opened) {
    refuse_unlike_here(opened, place_, results_);
    for (const CaseShare& share : work.shares) {
      const PlannedCase& planned = planned_case(opened.plan, share.case_name);
      refuse_unplanned_indices(planned, share);
      cases_.emplace(share.case_name, pair_case_on_node(run, opened, planned));
    }
    if (!work.control_case.empty() && !cases_.contains(work.control_case)) {
      throw Error(ErrorKind::measure,
                  fmt::format("the share of shard {} takes its control from {}, which is no case of it", work.shard,
                              work.control_case),
                  "make the plan again: stepgate plan");
    }
  }

  ShardEnd measure() {
    if (!work_.control_case.empty()) measure_control();
    for (const CaseShare& share : work_.shares) {
      if (!stopped() && share.exact) measure_exact(share);
      if (!stopped() && !share.pairs.empty()) measure_pairs_of(share);
    }
    return {.unfit = "", .pairs = pairs_, .interrupted_by = run_.caller.interrupted};
  }

 private:
  bool stopped() const { return run_.caller.interrupted != 0; }

  NodeResult result_of(NodeResultKind kind, const PairCase& pair_case) const {
    NodeResult result;
    result.kind = kind;
    result.plan_digest = opened_.digest;
    result.shard = work_.shard;
    result.attempt = work_.attempt;
    result.place = place_;
    result.case_name = pair_case.plan.case_name;
    return result;
  }

  NodeResult result_of(NodeResultKind kind, const PairCase& pair_case, const MeasuredPair& pair) const {
    NodeResult result = result_of(kind, pair_case);
    result.index = pair.index;
    result.head_first = pair.head_first;
    result.base = pair.base;
    result.head = pair.head;
    return result;
  }

  void measure_control() {
    const PairCase& pair_case = cases_.at(work_.control_case);
    const auto pairs = measure_control_pairs(pair_case, run_.caller, node_control_pairs);
    for (const MeasuredPair& pair : pairs) hand_back(opened_, result_of(NodeResultKind::control, pair_case, pair));
  }

  void measure_exact(const CaseShare& share) {
    const PairCase& pair_case = cases_.at(share.case_name);
    const ExactMeasurements sides = exact_half_of(run_.project, pair_case, run_.caller);
    if (stopped() || was_interrupted(sides.base) || was_interrupted(sides.head)) return;
    NodeResult result = result_of(NodeResultKind::exact, pair_case);
    result.interleaved = sides.interleaved;
    result.base = sides.base;
    result.head = sides.head;
    hand_back(opened_, result);
  }

  /// Leaves out indices that another attempt has measured meanwhile.
  std::vector<std::int64_t> still_open(const CaseShare& share) {
    results_.read_new();
    std::vector<std::int64_t> open;
    for (const std::int64_t index : share.pairs) {
      if (results_.pair(share.case_name, index) == nullptr) open.push_back(index);
    }
    return open;
  }

  void measure_pairs_of(const CaseShare& share) {
    const PairCase& pair_case = cases_.at(share.case_name);
    const auto open = still_open(share);
    decisions_.look(results_);
    if (decisions_.is_decided(share.case_name)) return;
    std::size_t handed = 0;
    const auto hand_back_new = [&](const PairsSoFar& so_far) {
      for (; handed < so_far.pairs.size(); ++handed, ++pairs_) {
        hand_back(opened_, result_of(NodeResultKind::pair, pair_case, so_far.pairs[handed]));
      }
    };
    hand_back_new(measure_pairs_at(open, pair_case, run_.caller, [&](const PairsSoFar& so_far) {
      hand_back_new(so_far);
      results_.read_new();
      decisions_.look(results_);
      return PairsLook{.decided = decisions_.is_decided(share.case_name)};
    }));
    results_.read_new();
    decisions_.look(results_);  // a failed process decides too, and ends the sequence before it asks
  }

  const Run& run_;
  const OpenedPlan& opened_;
  const ShardWork& work_;
  std::string place_;
  NodeResults results_;
  NodeDecisions decisions_;
  std::map<std::string, PairCase> cases_;
  std::int64_t pairs_ = 0;
};

/// The folder of a node is "<this>.node-XXXXXX", whatever the plan: paths of equal length, and any node finds what a
/// killed one left.
fs::path place_of_copies() { return fs::temp_directory_path() / "stepgate-shard"; }

/// Returns "" if this program is the one that the plan was made with.
std::string other_launcher(const ShardPlan& plan) {
  if (plan.launcher_digest == own_program_digest()) return "";
  return "this program stepgate is not the one that made the plan";
}

/// Called before anything is measured: an unfit node must not have begun.
template <typename Share>
ShardEnd measured_by(const Run& run, const OpenedPlan& opened, const ShardWork& work) {
  std::optional<Share> share;
  try {
    share.emplace(run, opened, work);
  } catch (const Error& error) {
    return {.unfit = error.what()};
  }
  return share->measure();
}

}  // namespace

void remove_copies_of_killed_nodes() { remove_unused_folders(place_of_copies(), "node"); }

ShardEnd run_shard(const ShardRunOptions& options, const Caller& caller) {
  const OpenedPlan opened = open_plan(options.plan);
  const ShardWork work = work_of(opened, options.shard, options.attempt);
  const auto unfit = [&](const std::string& why) {
    say_last_word(opened, work, "unfit: " + why + "\n");
    return ShardEnd{.unfit = why};
  };
  if (const std::string other = other_launcher(opened.plan); !other.empty()) return unfit(other);
  const FreshFolder scratch(place_of_copies(), "node");
  const Project project = project_of_plan(opened, scratch.path());
  const MeasureOptions measure = measure_options_of(opened.plan);
  const QuietHost quiet(options.host, {"shard run", entries_of(project, opened.plan, work), most_threads(opened.plan)},
                        caller);
  const Run run{project, measure, quiet.measured(), caller};
  const ShardEnd end =
      opened.plan.sweep ? measured_by<SweepShare>(run, opened, work) : measured_by<NodeShare>(run, opened, work);
  if (!end.unfit.empty()) return unfit(end.unfit);
  if (end.interrupted_by == 0) say_last_word(opened, work, "done\n");
  return end;
}

}  // namespace stepgate
