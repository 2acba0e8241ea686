#include "measure/profile/experiments/block_plan.h"

#include <algorithm>

#include "measure/profile/experiments/turns.h"

namespace stepgate {
namespace {

constexpr std::int64_t least_block_ns = 20'000'000;
/// Interference comes in bursts: many short blocks that take turns share it better than few long ones.
constexpr std::int64_t least_block_steps = 10;
constexpr std::int64_t fewest_rounds = 2;
constexpr std::int64_t most_rounds = 16;
constexpr std::int64_t cold_steps = 2;  ///< the first steps after a change meet cold caches

std::int64_t steps_in_whole_windows(std::int64_t steps, std::int64_t window) {
  return std::max<std::int64_t>(1, (steps + window - 1) / window) * window;
}

}  // namespace

BlockPlan plan_blocks(const BlockRequest& request) {
  const std::int64_t step_ns = std::max<std::int64_t>(1, request.step_ns);
  BlockPlan plan{.window = request.window};
  plan.settle = cold_steps + 2 * request.loader_depth;
  const std::int64_t variants = std::max<std::int64_t>(1, request.variants);
  const std::int64_t in_round_ns = variants * step_ns;
  if (request.asked_steps > 0) {
    plan.steps = request.asked_steps;
  } else {
    plan.steps = steps_in_whole_windows(std::max(least_block_steps, least_block_ns / step_ns), request.window);
    const std::int64_t affordable = request.all_blocks_ns / (fewest_rounds * in_round_ns) - plan.settle;
    if (affordable < plan.steps) {
      plan.steps = std::max(request.window, affordable / request.window * request.window);
    }
  }
  const std::int64_t of_variant = request.in_turns ? steps_of_turn * plan.steps : plan.steps + plan.settle;
  plan.rounds = std::clamp(request.all_blocks_ns / (in_round_ns * of_variant), fewest_rounds,
                           most_rounds * std::max(variants, request.all_variants) / variants);
  return plan;
}

std::int64_t least_of_ranks(const std::function<bool(bool mine)>& agree, std::int64_t mine) {
  if (!agree) return mine;
  std::int64_t least = 0;
  for (std::int64_t bit = std::int64_t{1} << 29; bit > 0; bit >>= 1) {
    if (agree(mine >= least + bit)) least += bit;
  }
  return least;
}

}  // namespace stepgate
