#include "experiment/nodes/plan/make_plan.h"

#include <algorithm>

#include "core/error.h"
#include "experiment/ab_cases.h"
#include "experiment/nodes/plan/plan_inputs.h"
#include "experiment/pairs/pair_case.h"
#include "experiment/pairs/resumption.h"
#include "experiment/plan/measurement_files.h"
#include "judge/interval/pair_plan.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Nodes have no shared clock and no seeds of training: what one machine alone can do is refused.
void refuse_for_nodes(const PairOptions& options) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorKind::usage, std::string(option) + " has no effect over nodes",
                "leave it out, or leave out --nodes");
  };
  if (options.seeds) refuse("--seeds");
  if (options.budget_s > 0) refuse("--budget");
}

PlannedCase planned(const PairCase& opened) {
  PlannedCase one{.plan = opened.plan,
                  .tries = judges_timed(opened.case_plan.tier) ? most_tries(opened.plan.most_pairs) : 0,
                  .may_lengthen = opened.case_plan.request.may_lengthen_windows,
                  .policy_digest = opened.plan.policy_digest};
  one.plan.control = false;  // each node measures its own
  one.plan.complete = false;
  return one;
}

ShardPlan empty_plan(const Project& head, const NodePlanOptions& options) {
  const AbOptions& ab = options.ab;
  ShardPlan plan = plan_of_project(head);
  plan.base_build = fs::absolute(ab.pairs.base_build).lexically_normal().string();
  plan.tier = ab.measure.tier;
  plan.guard = name_of(ab.host.mode);
  plan.passed = ab.measure.passed_variables;
  plan.shards = options.shards;
  plan.mixed_nodes = options.mixed_nodes;
  return plan;
}

bool same_plan(const ShardPlan& before, const ShardPlan& wanted) {
  const auto same_case = [](const PlannedCase& a, const PlannedCase& b) {
    return same_comparison(a.plan, b.plan) && a.plan.order_seed == b.plan.order_seed &&
           a.policy_digest == b.policy_digest && a.tries == b.tries;
  };
  return before.launcher_digest == wanted.launcher_digest && before.shards == wanted.shards &&
         before.layout == wanted.layout && before.tier == wanted.tier &&
         std::equal(before.cases.begin(), before.cases.end(), wanted.cases.begin(), wanted.cases.end(), same_case);
}

}  // namespace

MadePlan make_node_plan(const Project& head, const fs::path& folder, const NodePlanOptions& options,
                        const Caller& caller) {
  refuse_without_builds(head, options.ab.pairs);
  refuse_for_nodes(options.ab.pairs);
  const auto unfinished = unfinished_seed(folder, options.ab.pairs.order_seed);
  const auto from_clock = static_cast<std::uint64_t>(head.start.unix_s);
  const std::uint64_t order_seed = unfinished.value_or(options.ab.pairs.order_seed.value_or(from_clock));
  const Project base = read_base_project(head, options.ab.pairs);
  AbCases chosen = choose_ab_cases(head, base, options.ab, caller);
  const auto cases = control_first(std::move(chosen.cases), order_seed);

  Project to_plan = head;
  to_plan.out = folder;
  const MeasuredHost any_host;  // each node finds its own
  const Run run{to_plan, options.ab.measure, any_host, caller};
  const PairRun pairs{
      .run = run, .options = options.ab.pairs, .base = base, .order_seed = order_seed, .over_nodes = true};
  mark_unfinished(folder, order_seed);
  copy_plan_inputs(head, cases, folder);
  ShardPlan plan = empty_plan(head, options);
  for (const ManifestCase& entry : cases) {
    plan.cases.push_back(planned(open_pair_case(pairs, {.plan = plan_ab_case(run, entry)})));
  }
  const bool enough_cases = std::ssize(plan.cases) >= plan.shards;
  plan.layout = options.layout.value_or(enough_cases ? NodeLayout::by_case : NodeLayout::by_round);
  if (fs::exists(folder / "plan.json")) {
    OpenedPlan before = open_plan(folder);
    if (unfinished && same_plan(before.plan, plan)) {
      before.plan.mixed_nodes |= plan.mixed_nodes;  // what was measured already may be judged with it
      return {std::move(before), true, std::move(chosen.notices)};
    }
  }
  return {begin_shard_plan(folder, plan), false, std::move(chosen.notices)};
}

void finish_node_plan(const OpenedPlan& opened) {
  mark_finished(opened.folder);
  for (const PlannedCase& planned : opened.plan.cases) {
    AbPlan done = planned.plan;
    complete_plan(opened.folder / done.case_name / "ab", done);
  }
}

}  // namespace stepgate
