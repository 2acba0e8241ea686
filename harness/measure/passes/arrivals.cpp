#include "measure/passes/arrivals.h"

#include <cmath>

namespace stepgate {
namespace {

constexpr double ns_per_s = 1e9;

/// The generator of Steele, Lea and Flood (2014), which a seed gives the same numbers on every machine.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// In (0, 1], from 53 bits.
  double next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31;
    return static_cast<double>((mixed >> 11) + 1) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::vector<std::int64_t> scheduled_arrivals(double rate_per_s, std::int64_t count, std::uint64_t seed) {
  SplitMix uniform(seed);
  std::vector<std::int64_t> arrivals;
  arrivals.reserve(static_cast<std::size_t>(count));
  double at_s = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    at_s -= std::log(uniform.next()) / rate_per_s;
    arrivals.push_back(static_cast<std::int64_t>(at_s * ns_per_s));
  }
  return arrivals;
}

}  // namespace stepgate
