// What a person may choose about pairs of a base and a head build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace stepgate {

/// How the two processes of a pair run.
enum class Interleave {
  automatic,  ///< windows where the case uses one CPU, else processes
  processes,  ///< one process after the other
  windows,    ///< both are alive and run alternating windows
};

struct PairOptions {
  std::filesystem::path base_build = {};  ///< the build that head is compared with; empty: none
  std::optional<std::int64_t> most_pairs = {};
  Interleave interleave = Interleave::automatic;
  double budget_s = 0;                           ///< no pair of a case begins after this long; 0: no limit
  std::optional<std::uint64_t> order_seed = {};  ///< seed that draws the order of sides; absent: from the clock
  std::optional<std::int64_t> seeds = {};        ///< training runs of each side whose losses are compared
  std::optional<std::int64_t> seed_steps = {};   ///< steps of each of these runs
  bool explain = false;  ///< after a red step time: observe pairs, to find the lines that take it
};

/// The numbers of pairs at which the plan has an interim analysis. With any other number, the last pairs could decide
/// nothing.
std::vector<std::int64_t> interim_analysis_pairs();

/// The smallest number of seeds that shows where training ends.
std::int64_t fewest_training_seeds();
std::int64_t fewest_training_steps();

}  // namespace stepgate
