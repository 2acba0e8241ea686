// Ranks as threads of the test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "emulator/nccl/nccl_meeting.h"

namespace stepgate::emulator {

/// Long for a test that goes well, short for one that hangs.
inline constexpr int nccl_test_patience_ms = 20'000;

/// Runs `rank` once for each rank, with its meeting.
inline void with_ranks(int ranks, const std::function<void(NcclMeeting&)>& rank) {
  const std::string name = new_nccl_name();
  std::vector<std::thread> threads;
  for (int number = 0; number < ranks; ++number) {
    threads.emplace_back([&, number] {
      std::string error;
      const auto meeting = NcclMeeting::join({name, ranks, number, nccl_test_patience_ms}, error);
      ASSERT_NE(meeting, nullptr) << error;
      rank(*meeting);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace stepgate::emulator
