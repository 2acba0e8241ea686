#include "measure/device/work/device_work_trace.h"

#include <gtest/gtest.h>

#include <random>

namespace stepgate {
namespace {

constexpr WorkInterval traced_window{100, 200};

TEST(UnionOfWork, CountsWorkOfSeveralStreamsOnce) {
  EXPECT_EQ(union_ns({{110, 130}, {120, 150}}, traced_window), 40);
  EXPECT_EQ(union_ns({{110, 150}, {120, 130}}, traced_window), 40) << "one inside another";
  EXPECT_EQ(union_ns({{110, 130}, {110, 130}}, traced_window), 20);
  EXPECT_EQ(union_ns({{140, 150}, {110, 120}}, traced_window), 20) << "in any order";
  EXPECT_EQ(union_ns({{110, 120}, {120, 130}}, traced_window), 20);
}

TEST(UnionOfWork, ClipsToTheWindow) {
  EXPECT_EQ(union_ns({{50, 120}, {190, 300}}, traced_window), 30);
  EXPECT_EQ(union_ns({{0, 1000}}, traced_window), 100);
  EXPECT_EQ(union_ns({{0, 100}, {200, 300}}, traced_window), 0);
}

TEST(UnionOfWork, IsEmptyForNothing) {
  EXPECT_EQ(union_ns({}, traced_window), 0);
  EXPECT_EQ(union_ns({{150, 140}}, traced_window), 0) << "an interval that runs backwards";
  EXPECT_EQ(union_ns({{150, 150}}, traced_window), 0);
  EXPECT_EQ(union_ns({{110, 150}}, {200, 100}), 0) << "a window that runs backwards";
}

TEST(UnionOfWork, AgreesWithCountingNanoseconds) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> anywhere(80, 220);
  for (int round = 0; round < 500; ++round) {
    std::vector<WorkInterval> intervals(8);
    for (WorkInterval& one : intervals) one = {anywhere(random), anywhere(random)};
    std::int64_t counted = 0;
    for (std::int64_t ns = traced_window.begin_ns; ns < traced_window.end_ns; ++ns) {
      bool busy = false;
      for (const WorkInterval& one : intervals) busy = busy || (one.begin_ns <= ns && ns < one.end_ns);
      counted += busy ? 1 : 0;
    }
    EXPECT_EQ(union_ns(intervals, traced_window), counted);
  }
}

}  // namespace
}  // namespace stepgate
