#include "launch/schedule.h"

#include <algorithm>

namespace stepgate {

std::vector<Slot> schedule_of(const Plan& plan, const std::vector<Group>& groups) {
  const auto wanted = [&](Group group) { return std::find(groups.begin(), groups.end(), group) != groups.end(); };
  std::vector<Slot> slots;
  for (std::int64_t index = 0; wanted(Group::exact) && index < plan.exact_replicates; ++index) {
    slots.push_back({Group::exact, index});
  }
  for (std::int64_t index = 0; index < plan.timed_replicates; ++index) {
    if (wanted(Group::timed)) slots.push_back({Group::timed, index});
    if (wanted(Group::profile)) slots.push_back({Group::profile, index});
    if (wanted(Group::reference)) slots.push_back({Group::reference, index});
  }
  return slots;
}

bool is_hopeless(const Plan& plan, std::int64_t fewest_clean, const ProcessCount& so_far) {
  const std::int64_t tries_each = 1 + plan.max_retries;
  const std::int64_t tries = plan.timed_replicates * tries_each;
  if (so_far.measured < 2 * tries_each) return false;
  if (so_far.clean == 0) return true;
  const std::int64_t fewest = std::min(fewest_clean, plan.timed_replicates);
  return 2 * so_far.measured >= tries && so_far.clean * tries < fewest * so_far.measured;
}

void TimeEstimate::add(Group group, double seconds) {
  Seen& seen = seen_[group];
  seen.seconds += seconds;
  ++seen.processes;
}

std::optional<double> TimeEstimate::remaining_s(const std::vector<Slot>& slots, std::size_t next) const {
  double sum = 0;
  for (std::size_t at = next; at < slots.size(); ++at) {
    const auto found = seen_.find(slots[at].group);
    if (found == seen_.end()) return std::nullopt;
    sum += found->second.seconds / static_cast<double>(found->second.processes);
  }
  return sum;
}

}  // namespace stepgate
