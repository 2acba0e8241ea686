#include "measure/memory/memory_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "measure/memory/memory_kinds.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

MemoryTimeline timeline_of(const MemoryTrace& trace, std::size_t most) {
  return timeline_of(trace, kinds_of(trace), {}, most);
}

std::vector<std::int64_t> live_after_each(const MemoryTimeline& timeline) {
  std::vector<std::int64_t> live = {timeline.base_bytes};
  for (const MemoryEvent& event : timeline.events) live.push_back(live.back() + event.bytes);
  return live;
}

/// 10 live before; a step with a peak of 10 + 100 + 40 + 3 + 2.
void run_step(std::int64_t step, std::int64_t large, MemoryTrace& trace) {
  trace.enter({step, Boundary::forward});
  trace.allocate(2, large);
  trace.allocate(3, 1);
  trace.allocate(4, 2);
  trace.release(3);
  trace.allocate(5, 40);
  trace.enter({step, Boundary::backward});
  trace.allocate(6, 3);
  trace.release(6);
  for (MemoryTrace::Address block : {5, 4, 2}) trace.release(block);
  trace.enter({step, std::nullopt});
}

TEST(MemoryTimeline, HoldsTheStepThatPeaked) {
  MemoryTrace trace;
  trace.allocate(1, 10);
  run_step(0, 50, trace);
  run_step(1, 100, trace);
  run_step(2, 60, trace);
  const MemoryTimeline timeline = timeline_of(trace, 100);
  EXPECT_THAT(live_after_each(timeline), ElementsAre(10, 110, 111, 113, 112, 152, 155, 152, 112, 110, 10));
  EXPECT_EQ(timeline.events.front().kind, "activations");
  EXPECT_EQ(timeline.events[5].kind, "temporaries");
  EXPECT_EQ(timeline.events[5].boundary, "backward");
}

TEST(MemoryTimeline, MergesTheSmallestAndKeepsEverySumExact) {
  MemoryTrace trace;
  trace.allocate(1, 10);
  run_step(0, 100, trace);
  const MemoryTimeline timeline = timeline_of(trace, 8);
  // +1 and -1 of one kind cancel out between the two large ones; no sum is taken across the peak at 155.
  EXPECT_THAT(live_after_each(timeline), ElementsAre(10, 110, 112, 152, 155, 152, 112, 110, 10));
}

TEST(MemoryTimeline, IsShortAndTellsTheSamePeakWhateverTheStep) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    MemoryTrace trace;
    trace.allocate(0, 1000);
    std::vector<MemoryTrace::Address> live;
    for (std::int64_t step = 0; step < 2; ++step) {
      for (Boundary boundary : all_boundaries) {
        trace.enter({step, boundary});
        for (int i = 0; i < 200; ++i) {
          const MemoryTrace::Address block_address = trace.blocks().size() + 1;
          trace.allocate(block_address, 1 + static_cast<std::int64_t>(random() % 500));
          live.push_back(block_address);
          if (random() % 8 == 0) continue;
          const std::size_t victim = random() % live.size();
          trace.release(live[victim]);
          live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
        }
      }
    }
    const MemoryTimeline whole = timeline_of(trace, 100000);
    const MemoryTimeline brief = timeline_of(trace, 150);
    EXPECT_LE(brief.events.size(), 150U);
    EXPECT_GT(brief.events.size(), 10U);
    const auto brief_live = live_after_each(brief), whole_live = live_after_each(whole);
    EXPECT_EQ(brief_live.back(), whole_live.back());
    EXPECT_EQ(*std::max_element(brief_live.begin(), brief_live.end()), peak_of(trace).live_bytes);
    EXPECT_EQ(*std::max_element(whole_live.begin(), whole_live.end()), peak_of(trace).live_bytes);
  }
}

}  // namespace
}  // namespace stepgate
