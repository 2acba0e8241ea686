// Series with noise of a known size, the same on every machine.
#pragma once

#include <boost/random/normal_distribution.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace stepgate {

inline std::vector<double> drawn_noise(std::size_t count, double deviation, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  boost::random::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = deviation * normal(generator);
  return values;
}

/// `level` gives the level of each point.
template <typename Level>
std::vector<double> drawn_around(std::size_t count, double deviation, std::uint64_t seed, Level level) {
  std::vector<double> values = drawn_noise(count, deviation, seed);
  for (std::size_t i = 0; i < count; ++i) values[i] += level(i);
  return values;
}

}  // namespace stepgate
