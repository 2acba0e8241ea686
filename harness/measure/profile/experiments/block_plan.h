// How many steps the blocks of experiments have, from the length of a step.
#pragma once

#include <cstdint>
#include <functional>

namespace stepgate {

struct BlockPlan {
  std::int64_t steps = 10;  ///< length of each block
  std::int64_t rounds = 2;  ///< each has one block of every variant
  std::int64_t settle = 2;  ///< steps before each block that are not kept
  std::int64_t window = 1;  ///< of BlockRequest
};

struct BlockRequest {
  std::int64_t step_ns = 0;
  std::int64_t variants = 1;
  std::int64_t all_variants = 0;  ///< so many would run if no experiment were left out; 0: `variants`
  std::int64_t window = 1;        ///< blocks hold whole windows, so that each sees the same rhythm of batches
  std::int64_t asked_steps = 0;   ///< StepCounts::profile; 0: chosen here
  std::int64_t loader_depth = 0;  ///< batches that the loader keeps ready
  bool in_turns = false;          ///< VariantRun::in_turns: each step that is kept has one that settles
  /// Own choice. Over ten rounds the log ratio of a process scatters by 0.2 to 1.0 % from process to process in the
  /// tiny cases on two shared CPUs; over two rounds of twice as long blocks, in half the time, it was 0.9 to 3.1 %. So
  /// four processes now decide what eight left open, and a profile takes as long as before.
  std::int64_t all_blocks_ns = 5'000'000'000;
};

/// At least 10 steps and 20 ms a block, 2 to 16 rounds planned, about `all_blocks_ns` in all. Where experiments are
/// left out, the others take their blocks: 16 rounds of all variants are 48 of a third of them. If steps are so long
/// that two rounds of 10 steps take more, blocks get shorter, but never below one window. The longest settling empties
/// or fills the loader's queue: twice its depth.
BlockPlan plan_blocks(const BlockRequest& request);

/// The least of the numbers that the ranks pass, on each of them. `agree` is TimedRun::agree; empty: `mine`.
/// `mine` is below 2^30.
std::int64_t least_of_ranks(const std::function<bool(bool mine)>& agree, std::int64_t mine);

}  // namespace stepgate
