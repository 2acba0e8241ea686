#include "measure/profile/experiments/variant_blocks.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "measure/passes/step_window.h"

namespace stepgate {
namespace {

VariantBlock run_block(const VariantRun& wanted, const StepVariant& variant, StepWindow& window) {
  if (wanted.before_each) wanted.before_each();
  if (variant.begin) variant.begin();
  if (wanted.plan.settle > 0) window.run(wanted.plan.settle, false);
  window.run(wanted.plan.steps, false);
  VariantBlock block{.variant = variant.name, .delay_ns = variant.delay_ns, .wall_ns = window.wall_ns()};
  block.steps = wanted.plan.steps;
  if (variant.end) variant.end();
  return block;
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
    for (const std::size_t at : order_of_round(wanted.variants.size(), round, wanted.seed)) {
      blocks.push_back(run_block(wanted, wanted.variants[at], window));
      blocks.back().round = round;
    }
  }
  return blocks;
}

}  // namespace stepgate
