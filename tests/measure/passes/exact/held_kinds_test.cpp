#include "measure/passes/exact/held_kinds.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/metric.h"
#include "measure/memory/page_memory.h"
#include "measure/passes/exact/step_end_counters.h"
#include "support/temporary_folder.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

const HeldKind& held_kind(std::string_view series) {
  for (const HeldKind& kind : held_kinds()) {
    if (kind.series == series) return kind;
  }
  throw std::out_of_range(std::string(series));
}

/// This process, with folders of the test's own.
struct HeldFixture {
  TemporaryFolder place;
  HeldSources sources{[this] {
    fs::create_directories(place.path() / "tmp");
    fs::create_directories(place.path() / "work/out");
    return HeldPlaces{
        .temporary = place.path() / "tmp", .working = place.path() / "work", .records = place.path() / "work/out"};
  }()};

  std::int64_t level(std::string_view series) {
    sources.look();
    const HeldReading reading = held_kind(series).level(sources);
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(reading)) << std::get<std::string>(reading);
    return std::get<std::int64_t>(reading);
  }
  bool has_none(std::string_view series) {
    sources.look();
    return std::holds_alternative<std::string>(held_kind(series).level(sources));
  }
};

TEST(HeldKinds, EachHasAMetricThatGrowsWithIt) {
  for (const HeldKind& kind : held_kinds()) {
    const Metric* metric = find_series(kind.series);
    ASSERT_NE(metric, nullptr) << kind.series;
    EXPECT_EQ(metric->over_steps, OverSteps::growth) << kind.series;
  }
}

TEST(HeldKinds, MappedMemoryIsThatOfMmapAndNotOfMallocOrTheTrace) {
  if (!glibc_serves_malloc()) GTEST_SKIP() << "not glibc's malloc";
  HeldFixture held;
  constexpr std::size_t size = 3 << 20;
  const std::int64_t before = held.level("mapped_bytes");
  auto heap = std::make_unique<std::string>(80 << 20, 'x');
  EXPECT_EQ(held.level("mapped_bytes"), before) << "a block of malloc with a mapping of its own";
  heap.reset();
  PageMemory pages;
  void* const block = pages.allocate(size + 1);
  EXPECT_EQ(held.level("mapped_bytes"), before) << "the harness's own";
  pages.deallocate(block, size + 1);
  void* const mapping = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_EQ(held.level("mapped_bytes"), before + static_cast<std::int64_t>(size));
  ::munmap(mapping, size);
  EXPECT_EQ(held.level("mapped_bytes"), before);
}

TEST(HeldKinds, AMappedFileCountsAndHasItsName) {
  HeldFixture held;
  const fs::path path = held.place.path() / "mapped";
  std::ofstream(path) << std::string(5000, 'x');
  const std::int64_t before = held.level("mapped_files");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const mapping = ::mmap(nullptr, 5000, PROT_READ, MAP_PRIVATE, file.number(), 0);
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_EQ(held.level("mapped_files"), before + 1);
  EXPECT_EQ(held_kind("mapped_files").things(held.sources).at({"", path.string()}), 1);
  ::munmap(mapping, 5000);
}

TEST(HeldKinds, LockedMemory) {
  HeldFixture held;
  const std::int64_t before = held.level("locked_bytes");
  void* const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // AddressSanitizer makes mlock() do nothing.
  if (::syscall(SYS_mlock, page, 4096) != 0) GTEST_SKIP() << "locks no memory here";
  EXPECT_EQ(held.level("locked_bytes"), before + 4096);
  ::munmap(page, 4096);
}

TEST(HeldKinds, DescriptorsHaveKindsAndPaths) {
  HeldFixture held;
  const std::int64_t before = held.level("descriptors");
  const HeldThings things = held_kind("descriptors").things(held.sources);
  const Descriptor event(::eventfd(0, EFD_CLOEXEC));
  EXPECT_EQ(held.level("descriptors"), before + 1);
  const auto rise = what_rose(things, held_kind("descriptors").things(held.sources));
  ASSERT_TRUE(rise);
  EXPECT_EQ(rise->kind, "eventfd");
}

TEST(HeldKinds, ALinkOfADescriptorTellsItsKind) {
  EXPECT_EQ(descriptor_thing("socket:[4711]"), (HeldThing{"socket", ""}));
  EXPECT_EQ(descriptor_thing("pipe:[4712]"), (HeldThing{"pipe", ""}));
  EXPECT_EQ(descriptor_thing("anon_inode:[eventpoll]"), (HeldThing{"eventpoll", ""}));
  EXPECT_EQ(descriptor_thing("anon_inode:inotify"), (HeldThing{"inotify", ""}));
  EXPECT_EQ(descriptor_thing("/memfd:cache (deleted)"), (HeldThing{"memfd", "/memfd:cache (deleted)"}));
  EXPECT_EQ(descriptor_thing("/dev/null"), (HeldThing{"device", "/dev/null"}));
  EXPECT_EQ(descriptor_thing("/tmp/x (deleted)"), (HeldThing{"deleted file", "/tmp/x (deleted)"}));
  EXPECT_EQ(descriptor_thing("/dev/shm/x"), (HeldThing{"file", "/dev/shm/x"}));
  EXPECT_EQ(descriptor_thing(""), (HeldThing{"", ""}));
}

TEST(HeldKinds, AThreadCountsWhileItRunsAndItsStackDoesNot) {
  HeldFixture held;
  const std::int64_t threads = held.level("threads");
  const std::int64_t mapped = glibc_serves_malloc() ? held.level("mapped_bytes") : 0;
  std::promise<void> end;
  std::thread waits([&] {
    pthread_setname_np(pthread_self(), "waits-for-end");
    end.get_future().wait();
  });
  EXPECT_EQ(held.level("threads"), threads + 1);
  if (glibc_serves_malloc()) {
    EXPECT_LE(held.level("mapped_bytes") - mapped, 65'536) << "a stack has megabytes";
  }
  end.set_value();
  waits.join();
}

TEST(HeldKinds, AChildCountsUntilItIsWaitedFor) {
  HeldFixture held;
  const std::int64_t before = held.level("child_processes");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(held.level("child_processes"), before + 1) << "it ended, and nobody waited for it";
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(held.level("child_processes"), before);
}

TEST(HeldKinds, Timers) {
  HeldFixture held;
  if (held.has_none("timers")) GTEST_SKIP() << "this kernel lists no timers";
  const std::int64_t before = held.level("timers");
  sigevent silent{};
  silent.sigev_notify = SIGEV_NONE;
  timer_t timer{};
  ASSERT_EQ(::timer_create(CLOCK_MONOTONIC, &silent, &timer), 0);
  EXPECT_EQ(held.level("timers"), before + 1);
  ::timer_delete(timer);
}

TEST(HeldKinds, FilesInTheFolderOfTemporaryFiles) {
  HeldFixture held;
  EXPECT_EQ(held.level("temporary_files"), 0);
  fs::create_directory(held.place.path() / "tmp/step-1");
  std::ofstream(held.place.path() / "tmp/step-1/part") << std::string(700, 'x');
  EXPECT_EQ(held.level("temporary_files"), 2);
  EXPECT_EQ(held.level("temporary_bytes"), 700);
  EXPECT_TRUE(held_kind("temporary_files").things(held.sources).contains({"", "step-1/part"}));
  HeldSources unnamed{HeldPlaces{}};
  EXPECT_EQ(std::get<std::string>(held_kind("temporary_files").level(unnamed)), "TMPDIR names no folder");
}

TEST(HeldKinds, TheWorkingFolderCountsWhatThisProcessWroteAndNoRecords) {
  HeldFixture held;
  if (held.has_none("working_files")) GTEST_SKIP() << "the kernel does not say what a process writes";
  const std::int64_t before = held.level("working_files");
  std::ofstream(held.place.path() / "work/out/record.json") << "launcher";
  EXPECT_EQ(held.level("working_files"), before) << "the launcher writes there";
  std::ofstream(held.place.path() / "work/step-1.pt") << std::string(900, 'x');
  EXPECT_EQ(held.level("working_files"), before + 1);
  EXPECT_EQ(held.level("working_bytes"), 900);
}

TEST(HeldKinds, WhatOthersWriteInTheWorkingFolderDoesNotCount) {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "self");
  fs::create_directory(place.path() / "work");
  const auto wrote = [&](int calls, int bytes) {
    std::ofstream(place.path() / "self/io") << "rchar: 9\nwchar: " << bytes << "\nsyscr: 9\nsyscw: " << calls << "\n";
  };
  wrote(5, 100);
  HeldSources sources{HeldPlaces{.process = place.path() / "self", .working = place.path() / "work"}};
  const auto level = [&](std::string_view series) {
    sources.look();
    return std::get<std::int64_t>(held_kind(series).level(sources));
  };
  EXPECT_EQ(level("working_files"), 0);
  std::ofstream(place.path() / "work/object.o") << std::string(5000, 'x');
  EXPECT_EQ(level("working_files"), 0) << "this process wrote nothing since";
  wrote(6, 140);
  EXPECT_EQ(level("working_files"), 1);
  EXPECT_EQ(level("working_bytes"), 40) << "no more than it wrote";
}

TEST(HeldKinds, AMissingPseudoFileIsAReason) {
  const TemporaryFolder nothing;
  HeldSources sources{HeldPlaces{.process = nothing.path()}};
  for (const HeldKind& kind : held_kinds()) {
    if (kind.series == "child_processes") continue;  // the kernel says itself that there are none
    EXPECT_TRUE(std::holds_alternative<std::string>(kind.level(sources))) << kind.series;
    if (kind.things == nullptr) continue;
    EXPECT_TRUE(kind.things(sources).empty()) << kind.series;
  }
}

}  // namespace
}  // namespace stepgate
