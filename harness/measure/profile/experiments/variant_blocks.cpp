#include "measure/profile/experiments/variant_blocks.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "measure/passes/step_window.h"
#include "measure/profile/experiments/turns.h"

namespace stepgate {
namespace {

void call(const std::function<void()>& action) {
  if (action) action();
}

VariantBlock run_block(const VariantRun& wanted, const StepVariant& variant, StepWindow& window) {
  call(wanted.before_each);
  call(variant.prepare);
  call(variant.begin);
  if (wanted.plan.settle > 0) window.run(wanted.plan.settle, false);
  window.run(wanted.plan.steps, false);
  VariantBlock block{.variant = variant.name, .delay_ns = variant.delay_ns, .wall_ns = window.wall_ns()};
  block.steps = wanted.plan.steps;
  call(variant.end);
  call(variant.undo);
  return block;
}

bool takes_turns(const VariantRun& wanted, std::size_t variant) {
  return wanted.in_turns && wanted.variants[variant].may_take_turns;
}

/// One block for each of `order`, whose steps take turns.
std::vector<VariantBlock> run_turns(const VariantRun& wanted, const std::vector<std::size_t>& order,
                                    StepWindow& window) {
  std::vector<VariantBlock> blocks;
  for (const std::size_t at : order) {
    const StepVariant& variant = wanted.variants[at];
    blocks.push_back({.variant = variant.name, .delay_ns = variant.delay_ns});
    call(variant.prepare);
  }
  for (const Turn& turn :
       turns_of_round({.variants = order.size(), .turns = wanted.plan.steps, .window = wanted.plan.window})) {
    const StepVariant& variant = wanted.variants[order[turn.variant]];
    if (turn.skipped > 0) window.run(turn.skipped, false);
    for (std::int64_t step = 0; step < steps_of_turn; ++step) call(variant.keep_rhythm);
    call(variant.begin);
    for (std::int64_t step = 0; step < steps_of_turn; ++step) window.run(1, false);
    call(variant.end);
    blocks[turn.variant].wall_ns += window.wall_ns();
    ++blocks[turn.variant].steps;
  }
  for (const std::size_t at : order) call(wanted.variants[at].undo);
  return blocks;
}

/// Whether one more round ends in time after `rounds` rounds.
bool has_time_for_another(const VariantRun& wanted, std::int64_t rounds, std::int64_t begin_ns) {
  if (wanted.most_ns == 0 || rounds == 0) return true;
  const std::int64_t so_far_ns = wanted.run.backend.now_ns() - begin_ns;
  const bool mine = so_far_ns + so_far_ns / rounds <= wanted.most_ns;
  return wanted.run.agree ? wanted.run.agree(mine) : mine;
}

}  // namespace

std::vector<std::size_t> order_of_round(std::size_t variants, std::int64_t round, std::uint64_t seed) {
  std::vector<std::size_t> order(variants);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 draw(seed);
  // std::shuffle may differ between standard libraries, and ranks must agree.
  for (std::size_t left = variants; left > 1; --left) std::swap(order[left - 1], order[draw() % left]);
  if (variants > 0) {
    const auto by = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(round) % variants);
    std::rotate(order.begin(), order.begin() + by, order.end());
  }
  return order;
}

std::vector<VariantBlock> run_variant_blocks(const VariantRun& wanted) {
  std::vector<VariantBlock> blocks;
  StepWindow window(wanted.run, std::max(wanted.plan.steps, wanted.plan.settle));
  const std::int64_t begin_ns = wanted.run.backend.now_ns();
  for (std::int64_t round = 0; round < wanted.plan.rounds && has_time_for_another(wanted, round, begin_ns); ++round) {
    std::vector<std::size_t> order = order_of_round(wanted.variants.size(), round, wanted.seed);
    const auto others = std::ranges::stable_partition(order, [&](std::size_t at) { return takes_turns(wanted, at); });
    const std::vector<std::size_t> alone(others.begin(), others.end());
    order.erase(others.begin(), order.end());
    std::vector<VariantBlock> found = run_turns(wanted, order, window);
    for (const std::size_t at : alone) found.push_back(run_block(wanted, wanted.variants[at], window));
    for (VariantBlock& block : found) block.round = round;
    blocks.insert(blocks.end(), found.begin(), found.end());
  }
  return blocks;
}

}  // namespace stepgate
