// What the failure of a measured process says of where it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "core/process_place.h"
#include "launch/measure_case.h"
#include "support/fake_program.h"
#include "system/deadline.h"
#include "system/files/pseudo_file.h"
#include "system/place_page.h"

namespace stepgate {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

ProcessPlace third_forward() {
  ProcessPlace place;
  place.enter_pass("counts");
  place.step.is_in_step = 1;
  place.step.boundary = static_cast<std::uint32_t>(Boundary::forward);
  place.step.step = 2;
  return place;
}

/// What stands in the page once the ranks have noted these.
std::string page_with(const std::vector<ProcessPlace>& places) {
  PlacePageLayout page;
  for (std::size_t rank = 0; rank < places.size(); ++rank) page.ranks[rank] = places[rank];
  return {reinterpret_cast<const char*>(&page), sizeof page};
}

/// Writes $here/page as a perftest program does, without cutting the memory off.
constexpr const char* notes_its_place = R"sh(
cat "$here/page" 1<>/proc/self/fd/$(expr $STEPGATE_PLACE + 0)
)sh";

ReplicateFailure failure_with(const std::vector<ProcessPlace>& places, const std::string& body, double limit_s = 20) {
  const FakeProgram program(notes_its_place + body);
  program.folder().write("page", page_with(places));
  LaunchRequest request = program.request({Group::exact});
  request.plan.timeout_s = limit_s;
  return measure_case(request, {}).replicates.at(0).failure.value();
}

TEST(FailureWithPlace, ACrashNamesPassBoundaryAndStep) {
  const ReplicateFailure failure = failure_with({third_forward()}, "kill -SEGV $$");
  EXPECT_EQ(failure.kind, FailureKind::crashed);
  EXPECT_THAT(failure.message, HasSubstr("killed by signal 11 (SIGSEGV) after "));
  EXPECT_THAT(failure.message, EndsWith(" s in pass counts, boundary forward, step 2"));
}

ReplicateFailure end_without_device(const std::vector<ChosenGpu>& given) {
  ProcessPlace place;
  place.stage = RunStage::no_device;
  const FakeProgram program(std::string(notes_its_place) + "exit 77");
  program.folder().write("page", page_with({place}));
  LaunchRequest request = program.request({Group::exact});
  request.gpus = given;
  return measure_case(request, {}).replicates.at(0).failure.value();
}

TEST(FailureWithPlace, AGpuThatTheDriverListsAndCudaDoesNotIsAFailure) {
  EXPECT_EQ(end_without_device({}).kind, FailureKind::unavailable) << "a machine without a GPU";
  const ReplicateFailure failure = end_without_device({{Gpu{.uuid = "GPU-1"}, "GPU-1"}});
  EXPECT_EQ(failure.kind, FailureKind::exited_nonzero);
  EXPECT_THAT(failure.message, HasSubstr("CUDA offers it no device, and the driver lists GPU-1"));
}

TEST(FailureWithPlace, AGpuThatIsTooSmallForTheCaseIsAKindOfItsOwn) {
  ProcessPlace place;
  place.stage = RunStage::gpu_too_small;
  const FakeProgram program(std::string(notes_its_place) + "exit 77");
  program.folder().write("page", page_with({place}));
  EXPECT_EQ(measure_case(program.request({Group::exact}), {}).replicates.at(0).failure.value().kind,
            FailureKind::gpu_too_small);
}

TEST(FailureWithPlace, MissingDataIsNoMissingDevice) {
  const FakeProgram program("exit 77");
  LaunchRequest request = program.request({Group::exact});
  request.gpus = {{Gpu{.uuid = "GPU-1"}, "GPU-1"}};
  EXPECT_EQ(measure_case(request, {}).replicates.at(0).failure.value().kind, FailureKind::unavailable);
}

TEST(FailureWithPlace, AHangNamesThemToo) {
  const ReplicateFailure failure = failure_with({third_forward()}, "exec sleep 60", 0.5);
  EXPECT_EQ(failure.kind, FailureKind::timed_out);
  EXPECT_EQ(failure.message,
            "still running after its limit of 0.5 s in pass counts, boundary forward, step 2, stopped");
}

TEST(FailureWithPlace, OfSeveralRanksEachIsNamed) {
  ProcessPlace other = third_forward();
  other.step.step = 1;
  other.step.is_in_step = 0;
  EXPECT_THAT(failure_with({third_forward(), other}, "exec sleep 60", 0.5).message,
              HasSubstr("s (rank 0 in pass counts, boundary forward, step 2; rank 1 in pass counts, after step 0), "));
}

TEST(FailureWithPlace, AnOlderProgramHasNone) {
  const FakeProgram program("kill -SEGV $$");
  const Measurement measurement = measure_case(program.request({Group::exact}), {});
  EXPECT_THAT(measurement.replicates.at(0).failure.value().message, EndsWith(" s"));
}

TEST(FailureWithPlace, TheVariableIsNotRecorded) {
  const FakeProgram program("good; echo $STEPGATE_PLACE > $here/value");
  const Measurement measurement = measure_case(program.request({Group::exact}), {});
  EXPECT_EQ(program.text_of("value").find_first_not_of("0123456789\n"), std::string::npos);
  EXPECT_THAT(measurement.replicates.at(0).environment, Not(testing::Contains(testing::Key(place_variable))));
}

TEST(DeadlineOfProcess, IsGivenToExactProcessesAlone) {
  ::setenv(deadline_variable, "17", 1);
  const FakeProgram program("good; echo ${STEPGATE_DEADLINE:-none} > $here/$group");
  const Measurement measurement = measure_case(program.request({Group::exact, Group::timed}), {});
  EXPECT_EQ(program.text_of("timed"), "none") << "nothing moves the stack of a timed process";
  ::setenv(deadline_variable, program.text_of("exact").substr(0, 20).c_str(), 1);
  EXPECT_NEAR(seconds_to_deadline().value_or(0), 20, 15) << "the limit of the request, less what has passed";
  ::unsetenv(deadline_variable);
  EXPECT_THAT(measurement.replicates.at(0).environment, Not(testing::Contains(testing::Key(deadline_variable))));
}

TEST(FailureWithPlace, AValueOfTheUsersIsReplaced) {
  ::setenv(place_variable, "17", 1);
  const FakeProgram program("good; echo $STEPGATE_PLACE > $here/value");
  measure_case(program.request({Group::exact}), {});
  ::unsetenv(place_variable);
  EXPECT_EQ(program.text_of("value").size(), 6U);
}

}  // namespace
}  // namespace stepgate
