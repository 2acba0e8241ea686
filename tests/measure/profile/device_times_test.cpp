#include "measure/profile/device_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const std::vector<std::string> known_boundaries = {"forward", "backward"};

TracedEvent range(const std::string& name, std::int64_t start_ns, std::int64_t end_ns) {
  return {.name = name, .is_range = true, .thread = 1, .start_ns = start_ns, .end_ns = end_ns};
}

TracedEvent call(const std::string& name, std::int64_t start_ns, std::int64_t end_ns, std::uint64_t id) {
  return {.name = name, .thread = 1, .start_ns = start_ns, .end_ns = end_ns, .id = id};
}

TracedEvent kernel(std::uint64_t of, std::int64_t duration_ns) {
  return {.name = "a_kernel", .on_device = true, .start_ns = 5000, .end_ns = 5000 + duration_ns, .id = of};
}

const DeviceTime* find_time(const std::vector<DeviceTime>& times, const std::string& boundary,
                            const std::string& name) {
  for (const DeviceTime& time : times) {
    if (time.boundary == boundary && time.name == name) return &time;
  }
  return nullptr;
}

TEST(DeviceTimes, AnOperatorHasItsKernelsAndThoseOfWhatItCalled) {
  const auto times = device_times({range("forward", 0, 100), call("aten::linear", 10, 50, 1),
                                   call("aten::addmm", 20, 40, 2), kernel(2, 300), kernel(2, 30), kernel(1, 7)},
                                  known_boundaries);
  ASSERT_THAT(times, SizeIs(2));
  const DeviceTime* linear = find_time(times, "forward", "aten::linear");
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->calls, 1);
  EXPECT_EQ(linear->self_ns, 7);
  EXPECT_EQ(linear->total_ns, 337);
  EXPECT_EQ(find_time(times, "forward", "aten::addmm")->self_ns, 330);
}

TEST(DeviceTimes, CallsOfOneBoundaryNameAndSizeJoin) {
  std::vector<TracedEvent> events = {range("forward", 0, 100), range("backward", 100, 200)};
  for (std::uint64_t id = 1; id <= 3; ++id) {
    const auto start = static_cast<std::int64_t>(10 * id);
    events.push_back(call("aten::mm", start, start + 5, id));
    events.back().sizes = {{id == 3 ? 8 : 4, 4}};
    events.push_back(kernel(id, 100));
  }
  events.push_back(call("aten::mm", 150, 160, 4));
  const auto times = device_times(events, known_boundaries);
  ASSERT_THAT(times, SizeIs(3));
  EXPECT_EQ(find_time(times, "backward", "aten::mm")->self_ns, 0) << "it led to no work";
  const DeviceTime* joined = find_time(times, "forward", "aten::mm");
  EXPECT_EQ(joined->calls, 2);
  EXPECT_EQ(joined->self_ns, 200);
}

/// The engine's thread runs the operators of backward while the step's thread is in the range of the boundary.
TEST(DeviceTimes, AnotherThreadsOperatorsHaveTheBoundaryOfTheirTime) {
  TracedEvent other = call("aten::mul", 120, 130, 9);
  other.thread = 2;
  const auto times = device_times({range("backward", 100, 200), call("aten::add", 110, 190, 8), other, kernel(9, 40)},
                                  known_boundaries);
  EXPECT_EQ(find_time(times, "backward", "aten::mul")->self_ns, 40);
  EXPECT_EQ(find_time(times, "backward", "aten::add")->total_ns, 0) << "it runs beside the other, not around it";
}

/// A range shows on the device, too, and nodes of autograd stand around the operators of backward.
TEST(DeviceTimes, RangesAndNodesAreNoOperators) {
  TracedEvent on_device = range("forward", 0, 9000);
  on_device.is_range = false;
  on_device.on_device = true;
  on_device.id = 1;
  const auto times =
      device_times({range("forward", 0, 100), on_device, call("MulBackward0", 5, 90, 3),
                    call("autograd::engine::evaluate_function: MulBackward0", 4, 95, 4),
                    call("torch::autograd::AccumulateGrad", 6, 80, 5), call("aten::mul", 10, 20, 1), kernel(1, 11)},
                   known_boundaries);
  ASSERT_THAT(times, SizeIs(1));
  EXPECT_EQ(times[0].self_ns, 11);
}

TEST(DeviceTimes, WhatLiesOutsideOfAllBoundariesIsLeftOut) {
  EXPECT_THAT(
      device_times({range("ProfilerStep#3", 0, 100), call("aten::mul", 10, 20, 1), kernel(1, 11)}, known_boundaries),
      IsEmpty());
  EXPECT_THAT(device_times({}, known_boundaries), IsEmpty());
}

/// The profiler has no kernels where CUPTI is not allowed. Then nothing is known, and nothing takes 0 ns.
TEST(DeviceTimes, WithoutKernelsThereAreNone) {
  EXPECT_THAT(device_times({range("forward", 0, 100), call("aten::mul", 10, 20, 1)}, known_boundaries), IsEmpty());
}

TEST(DeviceTimes, ACollectiveWithinAnOperatorIsPartOfIt) {
  const auto times = device_times({range("forward", 0, 100), call("c10d::allreduce_", 10, 50, 1),
                                   call("nccl:all_reduce", 20, 40, 2), kernel(2, 300)},
                                  known_boundaries);
  ASSERT_THAT(times, SizeIs(1));
  EXPECT_EQ(times[0].self_ns, 0);
  EXPECT_EQ(times[0].total_ns, 300);
}

TEST(DeviceTimes, ARangeOfTheProgramWithinABoundaryDoesNotEndIt) {
  const auto times =
      device_times({range("forward", 0, 100), range("forward", 10, 20), call("aten::mul", 50, 60, 1), kernel(1, 11)},
                   known_boundaries);
  ASSERT_THAT(times, SizeIs(1));
  EXPECT_EQ(times[0].boundary, "forward");
}

}  // namespace
}  // namespace stepgate
