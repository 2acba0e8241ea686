#include "experiment/plan/in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace stepgate {
namespace {

constexpr std::size_t several_threads = 4;

/// Work that begins first ends last.
void wait_less_the_later(std::size_t at) {
  std::this_thread::sleep_for(std::chrono::milliseconds(at < several_threads ? several_threads - at : 0));
}

TEST(InParallel, DoesEachOnceInItsPlace) {
  for (const std::size_t threads : {std::size_t{0}, std::size_t{1}, several_threads, std::size_t{100}}) {
    std::vector<int> done(40);
    in_parallel(
        done.size(),
        [&](std::size_t at) {
          wait_less_the_later(at);
          ++done[at];
        },
        threads);
    EXPECT_EQ(done, std::vector<int>(40, 1)) << threads;
  }
  in_parallel(
      0, [](std::size_t) { FAIL() << "there is nothing to do"; }, several_threads);
}

TEST(InParallel, WorksOnSeveralAtATime) {
  std::atomic<int> begun = 0;
  in_parallel(
      2,
      [&](std::size_t) {
        ++begun;
        for (int i = 0; i < 10'000 && begun < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_EQ(begun, 2) << "each waits for the other one to begin";
      },
      2);
}

TEST(InParallel, ThrowsTheErrorOfTheFirstInOrder) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t at) {
      ++begun;
      wait_less_the_later(at);
      if (at == 1 || at == 2 || at == 3) throw std::runtime_error(std::to_string(at));
    };
    try {
      in_parallel(100'000, work, several_threads);
      FAIL() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
    EXPECT_LT(begun, 100'000) << "after an error no further one begins";
  }
}

}  // namespace
}  // namespace stepgate
