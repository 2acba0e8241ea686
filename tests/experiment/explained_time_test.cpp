// After a red step time: pairs of observed processes, from the plan to the findings. The builds are one program that
// tells its side by the folder that it was copied to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/ab.h"
#include "experiment/fake_build.h"
#include "experiment/pairs/observed_pairs.h"
#include "experiment/plan/measurement_files.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

/// Head takes half as long again. Its processes of group profile leave the record of their side.
constexpr const char* slower_head = R"sh(
[ $side = head ] && slow 150
if [ $group = profile ]; then cp "$here/observed-$side.json" "$record"; else finish; fi
)sh";

RunRecord observed_record(std::int64_t softmax_calls) {
  RunRecord record = valid_record(Group::profile, 0);
  ObservedWork& work = record.profile->observed.emplace();
  work.steps = 10;
  work.frames_from = FramesFrom::lines;
  work.places = {{.offsets = {}, .frames = {{"Fake::forward", "fake.cpp", 21}}}};
  work.sites = {{.boundary = "forward", .name = "aten::mm", .place = 0, .calls = 10, .self_ns = 1000},
                {.boundary = "forward",
                 .name = "aten::_log_softmax",
                 .place = 0,
                 .calls = 10 * softmax_calls,
                 .self_ns = 500 * softmax_calls}};
  return record;
}

AbOptions explained_pairs(const FakeBuild& build, bool explain = true) {
  return {
      .measure = {.tier = TierChoice::timed},
      .host = build.host(),
      .pairs = {.base_build = build.root(), .most_pairs = 8, .interleave = Interleave::processes, .explain = explain}};
}

struct Explained {
  Outcome outcome;
  bool has_file = false;
  bool observed = false;
};

Explained explained(const std::string& body, const AbOptions& wanted = {}) {
  const FakeBuild build(std::string(noisy_process) + body);
  build.program().folder().write("observed-base.json", to_text(observed_record(1)));
  build.program().folder().write("observed-head.json", to_text(observed_record(3)));
  Listener listener;
  AbOptions options = explained_pairs(build);
  if (!wanted.pairs.base_build.empty()) options.pairs.explain = wanted.pairs.explain;
  const fs::path folder = build.root() / "out" / fake_case / "ab";
  const JudgedRun result = run_ab(build.project(), options, listener.caller());
  return {.outcome = result.report.outcomes.at(0),
          .has_file = fs::exists(folder / "difference.json"),
          .observed = fs::exists(folder / "observed")};
}

TEST(ExplainedTime, NamesTheLineThatDoesMore) {
  const Explained found = explained(slower_head);
  EXPECT_EQ(found.outcome.verdict.status, Status::regressed);
  EXPECT_THAT(found.outcome.findings,
              Contains(Field(&Finding::message, HasSubstr("aten::_log_softmax at fake.cpp:21 in Fake::forward"))));
  EXPECT_THAT(found.outcome.findings, Contains(Field(&Finding::code, FindingCode::time_explained)));
  EXPECT_TRUE(found.has_file);
}

TEST(ExplainedTime, ABuildWithoutObserverIsANoteAndTheVerdictStays) {
  const Explained found = explained(std::string(R"sh(
if [ $group = profile ] && [ $side = base ]; then echo "unknown group" >&2; exit 1; fi
)sh") + slower_head);
  EXPECT_EQ(found.outcome.verdict.status, Status::regressed);
  EXPECT_THAT(found.outcome.findings,
              Contains(testing::AllOf(Field(&Finding::code, FindingCode::time_not_explained),
                                      Field(&Finding::severity, Severity::note),
                                      Field(&Finding::message, HasSubstr("the base build could not be observed")))));
  EXPECT_FALSE(found.has_file);
}

/// All pairs together take no longer than that: each process may take what the ones before it left.
TEST(ExplainedTime, EachObservedProcessGetsWhatIsLeftOfTheTime) {
  const FakeBuild build(std::string(noisy_process) + slower_head);
  build.program().folder().write("observed-base.json", to_text(observed_record(1)));
  build.program().folder().write("observed-head.json", to_text(observed_record(3)));
  Listener listener;
  run_ab(build.project(), explained_pairs(build), listener.caller());
  const auto timeout_of = [&](const char* side) {
    const fs::path observed = build.root() / "out" / fake_case / "ab/observed";
    return read_measurement(observed / side / "measurement.json").plan.timeout_s;
  };
  EXPECT_LT(std::max(timeout_of("000/base"), timeout_of("000/head")), most_observing_s);
  EXPECT_LT(timeout_of("001/base"), timeout_of("000/base"));
}

TEST(ExplainedTime, NothingIsObservedWithNoExplainOrWithoutARed) {
  EXPECT_FALSE(explained(slower_head, {.pairs = {.base_build = "x", .explain = false}}).observed);
  EXPECT_FALSE(explained("if [ $group = profile ]; then cp \"$here/observed-$side.json\" \"$record\"; else finish; fi")
                   .observed);
}

/// Stopped within the third observed process, so one observed pair is complete.
void stop_while_observing(const FakeBuild& build) {
  build.program().folder().write("observed-base.json", to_text(observed_record(1)));
  build.program().folder().write("observed-head.json", to_text(observed_record(3)));
  const std::int64_t pairs_and_control = 8 * 4;
  Listener stopping(build, pairs_and_control + 3);
  EXPECT_EQ(run_ab(build.project(), explained_pairs(build), stopping.caller()).interrupted_by, 2);
}

/// How many processes the next run starts to explain the time.
std::int64_t processes_of_next_run(const FakeBuild& build) {
  const auto before = build.processes();
  Listener going_on;
  const JudgedRun second = run_ab(build.project(), explained_pairs(build), going_on.caller());
  EXPECT_EQ(second.interrupted_by, 0);
  EXPECT_THAT(second.report.outcomes.at(0).findings, Contains(Field(&Finding::code, FindingCode::time_explained)));
  return build.processes() - before;
}

TEST(ExplainedTime, AnInterruptionWhileObservingKeepsTheVerdictForTheNextRun) {
  const FakeBuild build(std::string(noisy_process) + slower_head);
  stop_while_observing(build);
  EXPECT_EQ(processes_of_next_run(build), 2 * (most_observed_pairs - 1)) << "the first observed pair was complete";
}

TEST(ExplainedTime, AnObservedProcessThatFailedIsMeasuredAgainByTheNextRun) {
  const FakeBuild build(std::string(noisy_process) + slower_head);
  stop_while_observing(build);
  const fs::path side = build.root() / "out" / fake_case / "ab/observed/000/base";
  Measurement failed = read_measurement(side / "measurement.json");
  failed.replicates.at(0).record.reset();
  failed.replicates.at(0).failure =
      ReplicateFailure{.kind = FailureKind::timed_out, .message = "took too long", .output_tail = ""};
  write_measurement(side, failed);
  EXPECT_EQ(processes_of_next_run(build), 2 * most_observed_pairs);
}

}  // namespace
}  // namespace stepgate
