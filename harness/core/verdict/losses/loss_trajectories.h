// Losses of whole training runs of two builds from several seeds, compared pair by pair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepgate {

/// The losses of one training run.
struct SeededLosses {
  std::uint64_t seed = 0;
  std::vector<double> losses;  ///< one per step
};

struct LossTrajectories {
  std::vector<SeededLosses> base;
  std::vector<SeededLosses> head;
  std::vector<std::string> failures;  ///< messages of failed processes, with their side
};

}  // namespace stepgate
