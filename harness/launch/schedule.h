// The order of the processes of one case, and how long the rest will take.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/plan.h"

namespace stepgate {

/// One planned process.
struct Slot {
  Group group = Group::timed;
  std::int64_t index = 0;

  bool operator==(const Slot&) const = default;
};

/// All of group exact first, then timed 0, reference 0, timed 1, ...: a drift during the run moves both groups alike.
/// Only the groups that were asked for; asking twice changes nothing.
std::vector<Slot> schedule_of(const Plan& plan, const std::vector<Group>& groups);

/// Processes of one group so far.
struct ProcessCount {
  std::int64_t measured = 0;
  std::int64_t clean = 0;
};

/// True where nearly all processes of a group are discarded, so that those to come would be, too: none of all tries of
/// two replicates is clean, or, from half of all tries on, their rate would not give `fewest_clean` clean ones with
/// all. Taint is decided before any timing is read, so a run that ends for this reason biases no result.
bool is_hopeless(const Plan& plan, std::int64_t fewest_clean, const ProcessCount& so_far);

/// Estimates the remaining time from the processes that have run.
class TimeEstimate {
 public:
  void add(Group group, double seconds);

  /// Sum of the mean seconds of the slots from `next` on; absent while one of their groups has not run yet.
  std::optional<double> remaining_s(const std::vector<Slot>& slots, std::size_t next) const;

 private:
  struct Seen {
    double seconds = 0;
    std::int64_t processes = 0;
  };
  std::map<Group, Seen> seen_;
};

}  // namespace stepgate
