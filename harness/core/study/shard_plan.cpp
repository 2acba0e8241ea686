#include "core/study/shard_plan.h"

namespace stepgate {
namespace {

CaseShare case_share(const ShardPlan& plan, std::size_t at, std::int64_t shard) {
  const auto owner = static_cast<std::int64_t>(at) % plan.shards + 1;
  const PlannedCase& planned = plan.cases[at];
  CaseShare share{.case_name = planned.plan.case_name, .pairs = {}, .exact = wants_exact(plan.tier) && owner == shard};
  if (!wants_timed(plan.tier)) return share;
  for (std::int64_t index = 0; index < planned.tries; ++index) {
    const std::int64_t node = plan.layout == NodeLayout::by_case ? owner : index % plan.shards + 1;
    if (node == shard) share.pairs.push_back(index);
  }
  return share;
}

}  // namespace

ShardWork share_of(const ShardPlan& plan, std::int64_t shard) {
  ShardWork work;
  work.shard = shard;
  std::vector<std::string> timed;
  for (std::size_t at = 0; at < plan.cases.size(); ++at) {
    CaseShare share = case_share(plan, at, shard);
    if (!share.pairs.empty()) timed.push_back(share.case_name);
    if (!share.pairs.empty() || share.exact) work.shares.push_back(std::move(share));
  }
  if (timed.empty() || plan.sweep) return work;
  const bool alone = plan.layout == NodeLayout::by_case;
  work.control_case = timed[(alone ? 0U : static_cast<std::size_t>(shard - 1)) % timed.size()];
  return work;
}

}  // namespace stepgate
