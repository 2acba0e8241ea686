#include "experiment/nodes/node_decisions.h"

#include <algorithm>

#include "experiment/pairs/pair_judgement.h"
#include "experiment/plan/measurement_files.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "judge/reduce/waiting_sides.h"

namespace stepgate {

NodeDecisions::NodeDecisions(const Run& run, const OpenedPlan& opened) : run_(run), opened_(opened) {
  if (opened.plan.sweep) return;
  for (const PlannedCase& planned : opened.plan.cases) {
    states_[planned.plan.case_name].judged = pair_case_to_judge(run, planned);
  }
}

bool NodeDecisions::is_decided(const std::string& case_name) {
  if (opened_.plan.sweep) return false;
  if (planned_case(opened_.plan, case_name).tries == 0) return true;  // a case of the exact half alone
  CaseState& state = states_.at(case_name);
  state.decided = state.decided || decided_end(opened_, case_name).has_value();
  return state.decided;
}

bool NodeDecisions::all_decided() {
  return std::all_of(opened_.plan.cases.begin(), opened_.plan.cases.end(),
                     [&](const PlannedCase& planned) { return is_decided(planned.plan.case_name); });
}

void NodeDecisions::look(const NodeResults& results) {
  if (opened_.plan.sweep) return;
  for (const PlannedCase& planned : opened_.plan.cases) {
    if (!is_decided(planned.plan.case_name)) decide_case(planned, results, states_.at(planned.plan.case_name));
  }
}

bool NodeDecisions::ends_round(const PlannedCase& planned, std::int64_t index) const {
  if (opened_.plan.layout == NodeLayout::by_case) return true;
  return (index + 1) % opened_.plan.shards == 0 || index + 1 == planned.tries;
}

void NodeDecisions::decide_case(const PlannedCase& planned, const NodeResults& results, CaseState& state) {
  const PlanSequence sequence = results.sequence(planned, false);
  PairsSoFar so_far;
  auto next = sequence.pairs.begin();
  for (std::int64_t index = 0; index < sequence.end; ++index) {
    if (next != sequence.pairs.end() && (*next)->index == index) so_far.pairs.push_back(measured_pair(**next++));
    set_aside_where_busy(so_far.pairs);
    if (index < state.looked) continue;
    state.looked = index + 1;
    const bool any = !so_far.pairs.empty();
    const bool failed = any && (has_failed(so_far.pairs.back().base) || has_failed(so_far.pairs.back().head));
    const bool full = clean_pairs(so_far.pairs) >= planned.plan.most_pairs;
    const bool looks = any && ends_round(planned, index);
    const bool last = index + 1 == planned.tries;
    if (!failed && !full && !last && !(looks && look_at_pairs(run_.project, state.judged, so_far).decided)) continue;
    write_decided_end(opened_, planned.plan.case_name, index + 1);
    return;
  }
}

}  // namespace stepgate
