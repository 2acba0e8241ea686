// A case that is declared TIERS exact: a gate judges its exact half and says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "experiment/check_measurements.h"
#include "experiment/fake_build.h"
#include "experiment/gate.h"
#include "experiment/measure_cases.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* logged_group = R"(echo "$group $replicate" >> "$here/log"; good)";

void declare_exact(const FakeBuild& build) {
  build.write_manifest(build.program().path(), "Release", ", \"tiers\": \"exact\"");
}

std::string message_of(const Outcome& outcome, const std::string& code) {
  const auto found = std::find_if(outcome.findings.begin(), outcome.findings.end(),
                                  [&](const Finding& finding) { return name_of(finding.code) == code; });
  return found == outcome.findings.end() ? "no such finding" : found->message;
}

std::string ungated_error_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "nothing thrown";
}

TEST(UngatedTimes, AGateRunsTheExactHalfAndSaysSo) {
  const FakeBuild build(logged_group);
  declare_exact(build);
  Listener listener;
  const Outcome outcome = run_gate(build.project(), {.host = build.host()}, listener.caller()).report.outcomes.front();
  const std::string log = read_text_file(build.root() / "log");
  EXPECT_THAT(log, HasSubstr("exact 0"));
  EXPECT_THAT(log, Not(HasSubstr("timed")));
  EXPECT_THAT(log, Not(HasSubstr("reference")));
  EXPECT_EQ(message_of(outcome, "times-not-gated"), "timed tier: not gated (TIERS exact)");
  EXPECT_EQ(name_of(outcome.kind), "exact");
  EXPECT_TRUE(std::filesystem::exists(build.root() / "out" / fake_case / "exact" / "verdict.json"));
}

TEST(UngatedTimes, OtherCasesHaveNoSuchNote) {
  const FakeBuild build(logged_group);
  Listener listener;
  const GateOptions options{.measure = {.tier = TierChoice::exact}, .host = build.host()};
  const Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(message_of(outcome, "times-not-gated"), "no such finding");
}

TEST(UngatedTimes, AskedForAloneTheyAreAMistake) {
  const FakeBuild build(logged_group);
  declare_exact(build);
  Listener listener;
  const GateOptions options{.measure = {.tier = TierChoice::timed}, .host = build.host()};
  const std::string error = ungated_error_of([&] { run_gate(build.project(), options, listener.caller()); });
  EXPECT_THAT(error, HasSubstr("fake/case/tiny has no gated times: it is declared TIERS exact"));
  EXPECT_THAT(error, HasSubstr("stepgate ab"));
  EXPECT_EQ(build.processes(), 0);
}

TEST(UngatedTimes, MeasuredTimesAreNotCheckedEither) {
  const FakeBuild build(logged_group);
  declare_exact(build);
  Listener listener;
  const MeasurementOptions timed{.measure = {.tier = TierChoice::timed}, .host = build.host()};
  measure_cases(build.project(), timed, listener.caller());
  EXPECT_THAT(read_text_file(build.root() / "log"), HasSubstr("timed 0")) << "run measures what it is asked for";
  EXPECT_THAT(ungated_error_of([&] { check_measurements(build.project(), {}, listener.caller()); }),
              HasSubstr("has no gated times"));
}

}  // namespace
}  // namespace stepgate
