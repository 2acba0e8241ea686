#include "measure/profile/experiments/turns.h"

namespace stepgate {

std::vector<std::size_t> turns_of_round(const TurnPlan& plan) {
  std::vector<std::size_t> turns;
  const std::size_t steps = plan.variants * static_cast<std::size_t>(plan.steps);
  const auto window = static_cast<std::size_t>(plan.window);
  // With each window everyone comes one step later.
  for (std::size_t step = 0; step < steps; ++step) turns.push_back((step % window + step / window) % plan.variants);
  return turns;
}

}  // namespace stepgate
