#include "measure/profile/experiments/turns.h"

#include <numeric>

namespace stepgate {

std::vector<Turn> turns_of_round(const TurnPlan& plan) {
  const auto shifts = static_cast<std::size_t>(std::gcd(plan.window, steps_of_turn));
  const std::size_t places = static_cast<std::size_t>(plan.window) / shifts;
  const std::size_t all = plan.variants * static_cast<std::size_t>(plan.turns);
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < all; ++i) {
    // Each time that the places begin anew, everyone comes one turn later.
    turns.push_back({.variant = (i % places + i / places) % plan.variants});
  }
  if (shifts > 1 && all > 1) turns[all / shifts].skipped = 1;
  return turns;
}

}  // namespace stepgate
