#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "core/error.h"
#include "launch/measure_case.h"
#include "launch/no_child_left.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class FailedReplicate : public NoChildLeft {};

/// The failure of the only replicate of a program with this body.
ReplicateFailure failure_of(const std::string& body) {
  const FakeProgram program(body);
  const Measurement measurement = measure_case(program.request({Group::timed}), {});
  EXPECT_THAT(measurement.replicates, SizeIs(1)) << "no more processes after the first failure";
  EXPECT_FALSE(measurement.replicates.at(0).record);
  return measurement.replicates.at(0).failure.value_or(ReplicateFailure{FailureKind::crashed, "none", ""});
}

TEST_F(FailedReplicate, ExplainsACrash) {
  const ReplicateFailure failure = failure_of("echo before the end; kill -SEGV $$");
  EXPECT_EQ(failure.kind, FailureKind::crashed);
  EXPECT_THAT(failure.message, HasSubstr("killed by signal 11 (SIGSEGV) after"));
  EXPECT_THAT(failure.output_tail, HasSubstr("before the end"));
}

TEST_F(FailedReplicate, ExplainsAnExitStatus) {
  const ReplicateFailure failure = failure_of("good; echo no such case >&2; exit 2");
  EXPECT_EQ(failure.kind, FailureKind::exited_nonzero);
  EXPECT_THAT(failure.message, HasSubstr("ended with status 2"));
  EXPECT_EQ(failure.output_tail, "no such case");
}

TEST_F(FailedReplicate, SaysThatADeviceOrDataIsMissing) {
  const ReplicateFailure failure = failure_of("exit 77");
  EXPECT_EQ(failure.kind, FailureKind::unavailable);
  EXPECT_THAT(failure.message, AllOf(HasSubstr("status 77"), HasSubstr("missing here")));
}

TEST_F(FailedReplicate, NoticesAMissingRecord) {
  const ReplicateFailure failure = failure_of("echo done");
  EXPECT_EQ(failure.kind, FailureKind::no_record);
  EXPECT_THAT(failure.message, HasSubstr("timed-00-0.record.json"));
}

TEST_F(FailedReplicate, NoticesADamagedRecord) {
  for (const char* body : {R"(echo garbage > "$record")", R"(: > "$record")", R"(good; truncate -s 50 "$record")",
                           R"(echo '{"schema": 1}' > "$record")", R"(mkdir "$record")"}) {
    const ReplicateFailure failure = failure_of(body);
    EXPECT_EQ(failure.kind, FailureKind::bad_record) << body;
    EXPECT_THAT(failure.message, HasSubstr("timed-00-0.record.json")) << body;
  }
}

// Opened as usual, it would be waited for past every time limit.
TEST_F(FailedReplicate, NeverWaitsForAFifoInTheRecordsPlace) {
  const ReplicateFailure failure = failure_of(R"(mkfifo "$record")");
  EXPECT_EQ(failure.kind, FailureKind::bad_record);
  EXPECT_THAT(failure.message, AllOf(HasSubstr("timed-00-0.record.json"), HasSubstr("it is a FIFO")));
}

TEST_F(FailedReplicate, NoticesARecordThatIsALinkInACircle) {
  const ReplicateFailure failure = failure_of(R"(ln -s "$record" "$record")");
  EXPECT_EQ(failure.kind, FailureKind::bad_record);
  EXPECT_THAT(failure.message, HasSubstr("symbolic links"));
}

TEST_F(FailedReplicate, RefusesARecordOfATerabyte) {
  const ReplicateFailure failure = failure_of(R"(truncate -s 1T "$record")");
  EXPECT_EQ(failure.kind, FailureKind::bad_record);
  EXPECT_THAT(failure.message, HasSubstr("too large"));
}

TEST_F(FailedReplicate, NoticesTheRecordOfAnotherCase) {
  const ReplicateFailure failure = failure_of(R"(cp "$here/reference-0.json" "$record")");
  EXPECT_EQ(failure.kind, FailureKind::wrong_case);
  EXPECT_THAT(failure.message, AllOf(HasSubstr("fake/case/tiny"), HasSubstr("reference/matmul_copy/fixed")));
}

TEST_F(FailedReplicate, NeverTakesTheRecordOfAnEarlierRun) {
  const FakeProgram program("true");
  const LaunchRequest request = program.request({Group::timed});
  std::filesystem::create_directories(request.out_dir);
  std::filesystem::copy_file(program.folder().path() / "timed-0.json", request.out_dir / "timed-00-0.record.json");
  const Measurement measurement = measure_case(request, {});
  ASSERT_TRUE(measurement.replicates.at(0).failure);
  EXPECT_EQ(measurement.replicates.at(0).failure->kind, FailureKind::no_record);
}

TEST_F(FailedReplicate, StopsAHangingProcess) {
  const FakeProgram program("exec sleep 60");
  LaunchRequest request = program.request({Group::timed});
  request.plan.timeout_s = 0.2;
  const Measurement measurement = measure_case(request, {});
  ASSERT_TRUE(measurement.replicates.at(0).failure);
  EXPECT_EQ(measurement.replicates.at(0).failure->kind, FailureKind::timed_out);
  EXPECT_THAT(measurement.replicates.at(0).failure->message, HasSubstr("limit of 0.2 s"));
}

TEST_F(FailedReplicate, SaysThatAProgramIsMissing) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::timed});
  request.program = program.folder().path() / "not_built";
  const Measurement measurement = measure_case(request, {});
  ASSERT_THAT(measurement.replicates, SizeIs(1));
  ASSERT_TRUE(measurement.replicates[0].failure);
  EXPECT_EQ(measurement.replicates[0].failure->kind, FailureKind::not_started);
  EXPECT_THAT(measurement.replicates[0].failure->message, AllOf(HasSubstr("not_built"), HasSubstr("No such file")));
}

}  // namespace
}  // namespace stepgate
