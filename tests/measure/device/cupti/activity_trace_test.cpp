#include "measure/device/cupti/activity_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "measure/device/cupti/fake_cupti.h"

namespace stepgate {
namespace {

using test::FakeCuda;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<WorkInterval> work_of(DeviceWorkTrace& trace) {
  const auto taken = trace.take();
  if (const auto* reason = std::get_if<std::string>(&taken)) {
    ADD_FAILURE() << *reason;
    return {};
  }
  return std::get<0>(taken);
}

std::string reason_of(DeviceWorkTrace& trace) {
  const auto taken = trace.take();
  return std::holds_alternative<std::string>(taken) ? std::get<std::string>(taken) : "";
}

TEST(ActivityTrace, HandsOverKernelsCopiesAndMemsets) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  cuda.work(cupti::kernel_activity, 10, 20);
  cuda.work(cupti::memcpy_activity, 15, 40);
  cuda.work(cupti::memset_activity, 50, 60);
  cuda.work(38, 1, 1000);  // CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: no work
  EXPECT_THAT(work_of(*trace), UnorderedElementsAre(WorkInterval{10, 20}, WorkInterval{15, 40}, WorkInterval{50, 60}));
  cuda.work(cupti::kernel_activity, 70, 80);
  EXPECT_THAT(work_of(*trace), UnorderedElementsAre(WorkInterval{70, 80})) << "since the last time";
  trace->stop();
  EXPECT_EQ(cuda.enabled_activities(), 0);
}

TEST(ActivityTrace, ReadsTheClockOfTheRecords) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  cuda.clock(123456);
  EXPECT_EQ(trace->now_ns(), 123456);
  FakeCuda::fail("cuptiGetTimestamp=999");
  EXPECT_EQ(trace->now_ns(), std::nullopt);
}

TEST(ActivityTrace, HoldsMoreRecordsThanABufferTakes) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  for (std::uint64_t i = 1; i <= 50'000; ++i) cuda.work(cupti::kernel_activity, 10 * i, 10 * i + 5);
  EXPECT_EQ(work_of(*trace).size(), 50'000U);
}

TEST(ActivityTrace, RefusesRecordsWithoutAUsableTime) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  cuda.work(cupti::kernel_activity, 10, 20);
  cuda.work(cupti::kernel_activity, 0, 0);
  EXPECT_EQ(reason_of(*trace), "CUPTI gave 1 of 2 records without a usable time");
  cuda.work(cupti::memcpy_activity, 30, 20);
  cuda.work(cupti::memcpy_activity, 30, 0);
  EXPECT_EQ(reason_of(*trace), "CUPTI gave 2 of 2 records without a usable time");
  cuda.work(cupti::kernel_activity, 10, 20);
  EXPECT_EQ(reason_of(*trace), "") << "the next take() is not concerned";
}

TEST(ActivityTrace, SaysWhatWasLost) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  cuda.work(cupti::kernel_activity, 10, 20);
  cuda.drop(7);
  EXPECT_EQ(reason_of(*trace), "CUPTI dropped 7 records of the device's work");
  EXPECT_EQ(reason_of(*trace), "CUPTI recorded no work of the device");
}

TEST(ActivityTrace, SurvivesDamagedBuffers) {
  const FakeCuda cuda;
  const auto trace = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(trace->start(), "");
  for (const int how : {test::unreadable_buffer, test::no_buffer, test::endless_buffer}) {
    cuda.work(cupti::kernel_activity, 10, 20);
    cuda.damage_next_buffer(how);
    const auto taken = trace->take();
    const std::string reason = std::holds_alternative<std::string>(taken) ? std::get<std::string>(taken) : "";
    const std::map<int, std::string> reasons = {
        {test::unreadable_buffer, "a buffer of records was not readable (error 999)"},
        {test::no_buffer, "CUPTI recorded no work of the device"},
        {test::endless_buffer, ""}};
    EXPECT_EQ(reason, reasons.at(how));
  }
}

TEST(ActivityTrace, SaysWhichCallFailed) {
  const FakeCuda cuda;
  const auto library = cuda.library();
  for (const char* function : {"cuptiActivityRegisterCallbacks", "cuptiActivityEnable"}) {
    FakeCuda::fail(std::string(function) + "=35");
    const auto trace = cupti::make_activity_trace(library);
    EXPECT_THAT(trace->start(),
                HasSubstr(std::string(function) + ": CUPTI_ERROR: the driver lets only administrators"));
    EXPECT_EQ(reason_of(*trace), "the device's work is not being traced");
  }
  FakeCuda::fail("memset=27");
  EXPECT_THAT(cupti::make_activity_trace(library)->start(), HasSubstr("cuptiActivityEnable"));
  EXPECT_EQ(cuda.enabled_activities(), 0) << "what was enabled before is disabled again";
  FakeCuda::fail("");
  const auto trace = cupti::make_activity_trace(library);
  ASSERT_EQ(trace->start(), "") << "a refused trace is no running one";
  for (const char* function : {"cuptiActivityFlushAll", "cuptiActivityGetNumDroppedRecords"}) {
    cuda.work(cupti::kernel_activity, 10, 20);
    FakeCuda::fail(std::string(function) + "=999");
    EXPECT_THAT(reason_of(*trace), HasSubstr(function));
  }
}

TEST(ActivityTrace, RunsOnceAtATime) {
  const FakeCuda cuda;
  const auto first = cupti::make_activity_trace(cuda.library());
  const auto second = cupti::make_activity_trace(cuda.library());
  ASSERT_EQ(first->start(), "");
  EXPECT_EQ(second->start(), "the device's work is already being traced in this process");
  second->stop();
  cuda.work(cupti::kernel_activity, 10, 20);
  EXPECT_EQ(work_of(*first).size(), 1U);
}

TEST(ActivityTrace, TakesNoHarmFromRecordsThatComeLate) {
  const FakeCuda cuda;
  {
    const auto trace = cupti::make_activity_trace(cuda.library());
    ASSERT_EQ(trace->start(), "");
  }
  cuda.work(99, 10, 20);
  EXPECT_EQ(cuda.library()->call(cuda.library()->table().flush, std::uint32_t{0}), "");
}

}  // namespace
}  // namespace stepgate
