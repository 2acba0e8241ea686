#include "experiment/nodes/sweep_share.h"

#include <algorithm>

#include "experiment/nodes/node_place.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/this_machine.h"
#include "experiment/swept/sweep_rounds.h"

namespace stepgate {

SweepShare::SweepShare(const Run& run, const OpenedPlan& opened, const ShardWork& work)
    : run_(run), opened_(opened), work_(work), place_(place_here(run.host)), results_(opened) {
  refuse_unlike_here(opened, place_, results_);
  for (const CaseShare& share : work.shares) {
    refuse_unplanned_indices(planned_case(opened.plan, share.case_name), share);
  }
  swept_ = swept_case_on_node(run, opened);
}

ShardEnd SweepShare::measure() {
  ShardEnd end;
  const PlannedCase& planned = opened_.plan.cases.front();
  LaunchRequest request = sweep_request(run_, swept_);
  request.plan = planned.plan.plan;
  SweepSamples samples(empty_sweep(planned.plan.case_name, swept_.plan, planned.plan.plan));
  const std::vector<std::int64_t> share =
      work_.shares.empty() ? std::vector<std::int64_t>{} : work_.shares.front().pairs;
  SweepRounds rounds(run_.caller, request, run_.project.out / "sweep", share.size());
  for (const std::int64_t round : share) {
    if (!is_open(round)) continue;
    auto settings = rounds.measure(static_cast<std::size_t>(round), samples);
    if (run_.caller.interrupted != 0) break;  // a round that is not whole compares nothing
    hand_back_round(round, std::move(settings));
    ++end.rounds;
  }
  end.interrupted_by = run_.caller.interrupted;
  return end;
}

bool SweepShare::is_open(std::int64_t round) {
  results_.read_new();
  return results_.pair(opened_.plan.cases.front().plan.case_name, round) == nullptr;
}

void SweepShare::hand_back_round(std::int64_t round, std::vector<Measurement> settings) const {
  NodeResult result;
  result.kind = NodeResultKind::round;
  result.plan_digest = opened_.digest;
  result.shard = work_.shard;
  result.attempt = work_.attempt;
  result.place = place_;
  result.case_name = opened_.plan.cases.front().plan.case_name;
  result.index = round;
  result.settings = std::move(settings);
  hand_back(opened_, result);
}

}  // namespace stepgate
