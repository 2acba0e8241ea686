// Runs suites on the two cores of a small machine.
#pragma once

#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace stepgate::lab {

/// Depends only on `seed` and the suite's number.
inline std::uint64_t seed_of_suite(std::uint64_t seed, std::int64_t suite) {
  return seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(suite);
}

/// The sum of `one_suite(seed of the suite)` over `suites` suites.
template <typename OneSuite>
auto on_threads(std::int64_t suites, std::uint64_t seed, OneSuite one_suite) {
  using Outcome = std::invoke_result_t<OneSuite, std::uint64_t>;
  constexpr std::int64_t threads = 2;
  std::vector<Outcome> parts(threads);
  std::vector<std::thread> running;
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      Outcome sum;
      for (std::int64_t suite = thread; suite < suites; suite += threads) {
        sum += one_suite(seed_of_suite(seed, suite));
      }
      parts[static_cast<std::size_t>(thread)] = sum;
    });
  }
  Outcome total;
  for (std::size_t i = 0; i < running.size(); ++i) {
    running[i].join();
    total += parts[i];
  }
  return total;
}

}  // namespace stepgate::lab
