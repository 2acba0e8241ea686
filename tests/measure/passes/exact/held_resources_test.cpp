#include "measure/passes/exact/held_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "measure/passes/exact/exact_passes.h"
#include "measure/scripts.h"
#include "support/temporary_folder.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

HeldPlaces places_in(const fs::path& folder) {
  return {.temporary = folder, .working = folder / "none", .records = folder / "out"};
}

TEST(HeldResources, TellWhichBoundaryKeptWhat) {
  const TemporaryFolder place;
  HeldResources held(places_in(place.path()));
  std::vector<Descriptor> kept;
  MemoryProfile profile;
  held.begin(3, profile);
  for (int step = 0; step < 3; ++step) {
    held.end_boundary(Boundary::forward);
    kept.emplace_back(::memfd_create("cache", MFD_CLOEXEC));
    held.end_boundary(Boundary::backward);
    std::ofstream(place.path() / std::to_string(step)) << "12345";
    held.end_boundary(Boundary::logging);
    held.end_step(profile);
  }
  held.finish(StepBoundaries(), profile);

  const auto& descriptors = profile.series.at("descriptors");
  EXPECT_EQ(descriptors[1] - descriptors[0], 1);
  EXPECT_EQ(descriptors[2] - descriptors[1], 1);
  const ResourceRise& rise = profile.rises.at("descriptors");
  EXPECT_EQ(rise.by_boundary, (std::map<std::string, std::int64_t>{{"backward", 3}}));
  EXPECT_EQ(rise.kind, "memfd");
  EXPECT_EQ(rise.example, "/memfd:cache (deleted)");
  EXPECT_THAT(profile.series.at("temporary_files"), ElementsAre(1, 2, 3));
  EXPECT_THAT(profile.series.at("temporary_bytes"), ElementsAre(5, 10, 15));
  EXPECT_EQ(profile.rises.at("temporary_bytes").by_boundary.at("logging"), 15);
  EXPECT_FALSE(profile.rises.contains("threads"));
}

TEST(HeldResources, OneMappingAStepIsSeenInItsBoundary) {
  const TemporaryFolder place;
  HeldResources held(places_in(place.path()));
  MemoryProfile profile;
  constexpr std::size_t size = 1 << 20;
  std::vector<void*> kept;
  held.begin(2, profile);
  for (int step = 0; step < 2; ++step) {
    kept.push_back(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    held.end_boundary(Boundary::data_wait);
    held.end_step(profile);
  }
  held.finish(StepBoundaries(), profile);
  for (void* const mapping : kept) ::munmap(mapping, size);
  if (profile.absent.contains("mapped_bytes")) GTEST_SKIP() << profile.absent.at("mapped_bytes");
  const auto& bytes = profile.series.at("mapped_bytes");
  EXPECT_EQ(bytes[1] - bytes[0], static_cast<std::int64_t>(size));
  EXPECT_EQ(profile.rises.at("mapped_bytes").by_boundary.at("data_wait"), 2 * static_cast<std::int64_t>(size));
  EXPECT_EQ(profile.rises.at("mapped_bytes").kind, "anonymous memory");
}

TEST(HeldResources, WhatWasReadBeforeTheCountedStepsIsNoRise) {
  const TemporaryFolder place;
  HeldResources held(places_in(place.path()));
  MemoryProfile profile;
  std::ofstream(place.path() / "of-the-warm-up") << "1";
  held.end_boundary(Boundary::forward);
  held.begin(1, profile);
  held.end_step(profile);
  held.finish(StepBoundaries(), profile);
  EXPECT_THAT(profile.series.at("temporary_files"), ElementsAre(1));
  EXPECT_FALSE(profile.rises.contains("temporary_files"));
}

TEST(HeldResources, ALevelThatCannotBeReadIsAbsentWithItsReason) {
  const TemporaryFolder place;
  HeldResources held(HeldPlaces{.process = place.path() / "none"});
  MemoryProfile profile;
  held.begin(1, profile);
  held.end_step(profile);
  held.finish(StepBoundaries(), profile);
  EXPECT_FALSE(profile.series.contains("descriptors"));
  EXPECT_TRUE(profile.rises.empty());
  EXPECT_THAT(profile.absent.at("descriptors"), HasSubstr("/proc/self/fd"));
}

TEST(HeldResources, TheMemoryPassReadsThemInItsCountedSteps) {
  const TemporaryFolder place;
  FakeBackend backend;
  ScriptedStep step(backend, {ScriptedStepPlan{}});
  HeldResources held(places_in(place.path()));
  const MemoryProfile profile = run_memory(step, backend, {.memory = 6, .exact_warmup = 2}, &held);
  for (const char* series : {"descriptors", "threads", "temporary_files"}) {
    ASSERT_THAT(profile.series.at(series), SizeIs(6)) << series;
    EXPECT_EQ(profile.series.at(series).front(), profile.series.at(series).back()) << series;
  }
  if (profile.absent.contains("mapped_bytes")) return;
  EXPECT_EQ(profile.series.at("mapped_bytes").front(), profile.series.at("mapped_bytes").back());
}

TEST(WhatRose, IsTheKindThatRoseMostAndItsLargestName) {
  const HeldThings before = {{{"file", "a"}, 5}, {{"socket", ""}, 1}};
  EXPECT_FALSE(what_rose(before, before));
  EXPECT_FALSE(what_rose(before, {}));
  const auto rise = what_rose(before, {{{"file", "b"}, 3}, {{"file", "c"}, 4}, {{"socket", ""}, 2}});
  ASSERT_TRUE(rise);
  EXPECT_EQ(*rise, (HeldThing{"file", "c"}));
}

}  // namespace
}  // namespace stepgate
