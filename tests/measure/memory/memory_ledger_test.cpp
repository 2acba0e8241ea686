#include "measure/memory/memory_ledger.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/error.h"
#include "measure/memory/memory_kinds.h"

namespace stepgate {
namespace {

using Bytes = std::map<std::string, std::int64_t>;

MemoryLedger ledger_of(const MemoryTrace& trace) { return ledger_of(trace, kinds_of(trace)); }

TEST(MemoryLedger, TakesTheFirstOfEqualPeaks) {
  MemoryTrace trace;
  for (std::int64_t step : {0, 1}) {
    trace.enter({step, Boundary::forward});
    trace.allocate(1, 10);
    trace.release(1);
  }
  const MemoryLedger ledger = ledger_of(trace);
  EXPECT_EQ(ledger.step, 0);
  EXPECT_EQ(ledger.peak_bytes, 10);
  EXPECT_EQ(ledger.bytes, (Bytes{{"temporaries", 10}}));
}

TEST(MemoryLedger, APeakBeforeTheFirstStepDoesNotCount) {
  MemoryTrace trace;
  trace.allocate(1, 1000);
  trace.release(1);
  trace.allocate(2, 7);
  trace.enter({0, Boundary::forward});
  trace.allocate(3, 1);
  EXPECT_EQ(ledger_of(trace).peak_bytes, 8);
  EXPECT_EQ(ledger_of(trace).bytes, (Bytes{{"setup", 7}, {"workspace", 1}}));
}

TEST(MemoryLedger, ABoundaryThatOnlyFreesPeaksAtItsBegin) {
  MemoryTrace trace;
  trace.allocate(1, 100);
  trace.enter({0, Boundary::optimizer});
  trace.release(1);
  const MemoryLedger ledger = ledger_of(trace);
  EXPECT_EQ(ledger.peak_bytes, 100);
  EXPECT_EQ(ledger.boundary, "optimizer");
}

TEST(MemoryLedger, WhatGrowsBetweenStepsCountsInTheNextBoundary) {
  MemoryTrace trace;
  trace.enter({0, Boundary::forward});
  trace.enter({0, std::nullopt});
  trace.allocate(1, 100);
  trace.enter({1, Boundary::data_wait});
  const MemoryLedger ledger = ledger_of(trace);
  EXPECT_EQ(ledger.step, 1);
  EXPECT_EQ(ledger.boundary, "data_wait");
  EXPECT_EQ(ledger.bytes, (Bytes{{"workspace", 100}}));
}

TEST(MemoryLedger, FragmentationIsWhatWasReservedAtThatMoment) {
  MemoryTrace trace;
  trace.reserve(50);
  trace.enter({0, Boundary::forward});
  trace.reserve(100);
  trace.allocate(1, 120);
  trace.reserve(400);
  trace.release(1);
  EXPECT_EQ(ledger_of(trace).fragmentation_bytes, 30);
}

TEST(MemoryLedger, WithoutReservedMemoryThereIsNoFragmentation) {
  MemoryTrace trace;
  trace.enter({0, Boundary::forward});
  trace.allocate(1, 120);
  EXPECT_FALSE(ledger_of(trace).fragmentation_bytes);
}

TEST(MemoryLedger, RefusesATraceWithoutABoundary) { EXPECT_THROW(peak_of(MemoryTrace{}), Error); }

TEST(MemoryTrace, AnUnknownAddressIsNeitherFreedNorMarked) {
  MemoryTrace trace;
  trace.release(1);
  trace.mark(1, MemoryRole::parameter);
  EXPECT_TRUE(trace.changes().empty());
  EXPECT_TRUE(trace.blocks().empty());
}

TEST(MemoryTrace, AnAddressIsAnotherBlockOnceItWasFreed) {
  MemoryTrace trace;
  trace.allocate(1, 10);
  trace.mark(1, MemoryRole::gradient);
  trace.release(1);
  trace.allocate(1, 20);
  trace.mark(1, MemoryRole::parameter);
  trace.mark(1, MemoryRole::gradient);
  ASSERT_EQ(trace.blocks().size(), 2U);
  EXPECT_EQ(trace.blocks()[0].role, MemoryRole::gradient);
  EXPECT_EQ(trace.blocks()[1].role, MemoryRole::parameter);
}

TEST(MemoryTrace, KeepsOneOrderOverAllThreads) {
  MemoryTrace trace;
  trace.enter({0, Boundary::forward});
  std::vector<std::thread> threads;
  for (MemoryTrace::Address thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&trace, thread] {
      for (int repeat = 0; repeat < 500; ++repeat) {
        trace.allocate(thread, 8);
        trace.release(thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::int64_t live = 0;
  for (const MemoryChange& change : trace.changes()) {
    live += change.bytes;
    ASSERT_GE(live, 0);
    ASSERT_LE(live, 32);
  }
  EXPECT_EQ(trace.changes().size(), 4000U);
  EXPECT_EQ(live, 0);
}

}  // namespace
}  // namespace stepgate
