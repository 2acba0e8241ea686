#include "emulator/cupti/cupti_external_ids.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace stepgate::emulator {
namespace {

using Tops = std::vector<std::pair<int, std::uint64_t>>;

Tops tops_of(const ExternalIds& ids) {
  Tops tops;
  ids.for_each_top([&](int kind, std::uint64_t id) { tops.emplace_back(kind, id); });
  return tops;
}

TEST(CuptiExternalIds, OnlyTheInnermostOfEachKindCounts) {
  ExternalIds ids;
  ids.push(3, 30);
  ids.push(4, 40);
  ids.push(3, 31);
  EXPECT_EQ(tops_of(ids), (Tops{{3, 31}, {4, 40}}));
}

TEST(CuptiExternalIds, PopsTheLastOfAKind) {
  ExternalIds ids;
  ids.push(3, 30);
  ids.push(4, 40);
  EXPECT_EQ(ids.pop(3), 30U);
  EXPECT_EQ(ids.pop(3), std::nullopt);
  EXPECT_EQ(tops_of(ids), (Tops{{4, 40}}));
}

TEST(CuptiExternalIds, ThreadsHaveTheirOwn) {
  external_ids_of_thread().push(3, 30);
  std::thread([] { EXPECT_TRUE(tops_of(external_ids_of_thread()).empty()); }).join();
  EXPECT_EQ(external_ids_of_thread().pop(3), 30U);
}

/// Made before the thread's numbers, so that its destructor runs when a thread_local with these had gone.
struct AtThreadExit {
  ~AtThreadExit() { *seen = tops_of(external_ids_of_thread()); }
  Tops* seen = nullptr;
};

TEST(CuptiExternalIds, AreThereWhileTheThreadEnds) {
  Tops seen;
  std::thread([&seen] {
    thread_local AtThreadExit last;
    last.seen = &seen;
    external_ids_of_thread().push(3, 30);
    external_ids_of_thread().push(4, 40);
  }).join();
  EXPECT_EQ(seen, (Tops{{3, 30}, {4, 40}}));
}

}  // namespace
}  // namespace stepgate::emulator
