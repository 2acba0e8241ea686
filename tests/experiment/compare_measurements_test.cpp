// Two stored measurements, one held against the other.
#include "experiment/compare_measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/measure_cases.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void measure_into(const FakeBuild& build, const fs::path& out, TierChoice tier) {
  Project project = build.project();
  project.out = out;
  Listener listener;
  measure_cases(project, {.measure = {.tier = tier}, .host = build.host()}, listener.caller());
}

TEST(Comparison, HoldsTheSecondMeasurementAgainstTheFirst) {
  const FakeBuild build("good");
  measure_into(build, build.root() / "before", TierChoice::exact);
  RunRecord more = valid_record(Group::exact, 0);
  more.counts->per_step.at("operators_per_step") = {8, 8};
  build.write_exact_records(more);
  measure_into(build, build.root() / "after", TierChoice::exact);

  Listener listener;
  const auto compare = [&](const char* before, const char* after) {
    return compare_measurements(build.project(), {.before = build.root() / before, .after = build.root() / after},
                                listener.caller());
  };
  const JudgedRun worse = compare("before", "after");
  ASSERT_THAT(worse.report.outcomes, SizeIs(1));
  EXPECT_EQ(worse.report.outcomes.front().verdict.status, Status::regressed);
  EXPECT_EQ(name_of(worse.report.outcomes.front().kind), "compare-exact");
  EXPECT_EQ(compare("after", "before").report.outcomes.front().verdict.status, Status::improved);
  EXPECT_THAT(listener.notices(), IsEmpty());
}

TEST(Comparison, NamesWhatOnlyOneSideHas) {
  const FakeBuild build("good");
  measure_into(build, build.root() / "before", TierChoice::exact);
  measure_into(build, build.root() / "after", TierChoice::exact);
  measure_into(build, build.root() / "after", TierChoice::timed);
  Listener listener;
  const JudgedRun result = compare_measurements(
      build.project(), {.before = build.root() / "before", .after = build.root() / "after"}, listener.caller());
  ASSERT_THAT(result.notices, SizeIs(1)) << "also part of the result";
  EXPECT_THAT(result.notices.front().text, HasSubstr("fake/case/tiny/timed is only in"));
}

TEST(Comparison, WithoutAPolicyTheDefaultLimitsHoldAndThatIsTold) {
  const FakeBuild build("good");
  measure_into(build, build.root() / "before", TierChoice::exact);
  measure_into(build, build.root() / "after", TierChoice::exact);
  Project bare = build.project();
  bare.manifest = {};
  bare.policy_root.clear();
  Listener listener;
  const JudgedRun result = compare_measurements(
      bare, {.before = build.root() / "before", .after = build.root() / "after"}, listener.caller());
  EXPECT_EQ(result.report.outcomes.front().verdict.status, Status::pass);
  EXPECT_THAT(listener.notices(), HasSubstr("no policy of suite fake was found"));
}

TEST(Comparison, RefusesOneMeasurementTwiceAndNothingInCommon) {
  const FakeBuild build("good");
  measure_into(build, build.root() / "before", TierChoice::exact);
  measure_into(build, build.root() / "after", TierChoice::timed);
  Listener listener;
  const fs::path before = build.root() / "before";
  EXPECT_THROW(compare_measurements(build.project(), {.before = before, .after = before}, listener.caller()), Error);
  EXPECT_THROW(
      compare_measurements(build.project(), {.before = before, .after = build.root() / "after"}, listener.caller()),
      Error);
}

TEST(Comparison, ASettingThatTheSecondProgramChangedIsRed) {
  const FakeBuild build("good");
  measure_into(build, build.root() / "before", TierChoice::exact);
  RunRecord changed = valid_record(Group::exact, 0);
  changed.fingerprint["default_dtype"] = "float64";
  build.write_exact_records(changed);
  measure_into(build, build.root() / "after", TierChoice::exact);
  changed.fingerprint["threads"] = "2";
  build.write_exact_records(changed);
  measure_into(build, build.root() / "broken", TierChoice::exact);

  Listener listener;
  const auto verdict = [&](const char* before, const char* after) {
    return compare_measurements(build.project(), {.before = build.root() / before, .after = build.root() / after},
                                listener.caller())
        .report.outcomes.front()
        .verdict;
  };
  EXPECT_EQ(name_of(verdict("before", "after").reason), "program-changed-setting");
  EXPECT_EQ(verdict("before", "after").status, Status::regressed);
  EXPECT_EQ(verdict("before", "broken").status, Status::failed) << "the launcher asked for one thread";
  EXPECT_EQ(name_of(verdict("broken", "before").reason), "program-changed-setting");
}

}  // namespace
}  // namespace stepgate
