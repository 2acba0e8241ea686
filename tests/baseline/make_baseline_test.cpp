#include "baseline/make_baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

CaseValues sample_values() {
  CaseValues values;
  values.case_name = "suite/case_one/tiny";
  values.exact = {{"operators_per_step", {{412, 412}, {412, 412}}}};
  values.bytes = {{"peak_allocated_bytes", {8192, 4096, 8192}}};
  values.numerics = {NumericTrace{{4.0}, {1.0}, "aa", "bb"}, NumericTrace{{4.0}, {1.0}, "aa", "bb"}};
  values.counts.operators = {{"forward", {{"aten::mm", 824}}}};
  values.timed = {{"step_time_ns", {1e7, 1.1e7}}};
  values.exact_fingerprint = {{"isa", "AVX2"}, {"compiler", "GCC 12"}, {"device", "cpu"}, {"threads", "1"}};
  values.timed_fingerprint = {{"cpu_model", "EPYC"}, {"device", "cpu"}, {"threads", "8"}};
  values.clean_exact = 2;
  values.clean_timed = 2;
  return values;
}

Baseline make(const CaseValues& values, Scope scope) {
  return make_baseline({.values = values,
                        .scope = scope,
                        .runner_class = "h200-16c",
                        .utc = "2026-11-21T10:00:00Z",
                        .unix_s = 5000,
                        .commit = "abc"});
}

TEST(MakeBaseline, PortableHoldsWorkAndNoTimes) {
  const Baseline baseline = make(sample_values(), Scope::portable);
  EXPECT_EQ(baseline.runner_class, "portable");
  EXPECT_EQ(baseline.key, (Fingerprint{{"isa", "AVX2"}, {"device", "cpu"}, {"threads", "1"}}));
  EXPECT_TRUE(baseline.switches.empty());
  EXPECT_EQ(baseline.exact.at("operators_per_step"), (std::vector<std::int64_t>{412, 412}));
  EXPECT_EQ(baseline.bytes.at("peak_allocated_bytes"), (std::vector<std::int64_t>{4096, 8192}));
  EXPECT_TRUE(baseline.numerics);
  EXPECT_TRUE(baseline.sessions.empty());
  EXPECT_EQ(baseline.provenance.compiler, "GCC 12");
  EXPECT_EQ(baseline.provenance.replicates, 2);
}

TEST(MakeBaseline, LossesOfAnEmulatedGpuHaveAKeyOfTheirOwn) {
  CaseValues values = sample_values();
  EXPECT_TRUE(make(values, Scope::portable).numerics->key.empty());
  values.exact_fingerprint["device"] = "cuda";
  values.exact_fingerprint["gpu"] = "NVIDIA H200";
  EXPECT_TRUE(make(values, Scope::device).numerics->key.empty());
  values.exact_fingerprint["gpu"] = "emulated H200, model 1";
  EXPECT_EQ(make(values, Scope::device).numerics->key, (Fingerprint{{"isa", "AVX2"}}));
}

TEST(MakeBaseline, HoldsTheSwitchesOfLibTorchBesideTheKey) {
  CaseValues values = sample_values();
  values.exact_fingerprint["deterministic_algorithms"] = "on";
  values.timed_fingerprint["deterministic_algorithms"] = "off";
  EXPECT_EQ(make(values, Scope::portable).switches, (Fingerprint{{"deterministic_algorithms", "on"}}));
  EXPECT_EQ(make(values, Scope::runner).switches, (Fingerprint{{"deterministic_algorithms", "off"}}));
}

TEST(MakeBaseline, HoldsWhichOwnFunctionCallsWhich) {
  CaseValues values = sample_values();
  ObservedWork work{.steps = 2, .frames_from = FramesFrom::lines};
  work.places = {{{}, {{"CharLm::loss", "a.cpp", 7}, {"CharLm::forward", "a.cpp", 9}}}};
  OperatorSite site{.boundary = "forward", .name = "aten::mm", .place = 0};
  site.calls = 6;
  work.sites = {site};
  values.counts.observed = work;
  const FunctionCalls calls = {{"", {{"CharLm::forward", 6, 6}}},
                               {"CharLm::forward", {{"CharLm::loss", 6, 6}}},
                               {"CharLm::loss", {{"aten::mm", 6, 6}}}};
  EXPECT_EQ(make(values, Scope::portable).function_calls, calls);
}

TEST(MakeBaseline, HoldsTheInnermostFunctionsThatCallAnOperator) {
  CaseValues values = sample_values();
  EXPECT_TRUE(make(values, Scope::portable).operator_functions.empty());
  ObservedWork work{.steps = 2, .frames_from = FramesFrom::lines};
  work.places = {{{}, {{"CharLm::loss", "a.cpp", 7}, {"CharLm::forward", "a.cpp", 9}}},
                 {{}, {{"CharLm::loss", "a.cpp", 8}}},
                 {{}, {}}};
  for (std::size_t at = 0; at < 4; ++at) {  // the last one does not exist
    OperatorSite site{.boundary = "forward", .name = "aten::mm", .place = at};
    site.calls = 2;
    work.sites.push_back(site);
  }
  values.counts.observed = work;
  const Baseline baseline = make(values, Scope::portable);
  using Functions = decltype(baseline.operator_functions);
  EXPECT_EQ(baseline.operator_functions, (Functions{{"forward", {{"aten::mm", {{"CharLm::loss", 4}}}}}}));
  EXPECT_EQ(baseline.functions_from, "lines");
}

TEST(MakeBaseline, ResidentMemoryOfAProcessIsNotPortable) {
  CaseValues values = sample_values();
  values.bytes["host_peak_bytes"] = {300000000};
  EXPECT_FALSE(make(values, Scope::portable).bytes.contains("host_peak_bytes"));
  EXPECT_TRUE(make(values, Scope::device).bytes.contains("host_peak_bytes"));
}

TEST(MakeBaseline, InstructionsAreKeptForAComparisonOnTheSameMachineOnly) {
  CaseValues values = sample_values();
  values.bytes["host_instructions_per_step"] = {1000, 1001};
  values.counts.by_boundary["host_instructions_per_step"] = {{"forward", 900}};
  const Baseline stored = make(values, Scope::portable);
  EXPECT_FALSE(stored.bytes.contains("host_instructions_per_step"));
  EXPECT_FALSE(stored.counts_by_boundary.contains("host_instructions_per_step"));
  const Baseline base = make_baseline({.values = values,
                                       .scope = Scope::portable,
                                       .runner_class = "",
                                       .utc = "2026-11-21T10:00:00Z",
                                       .unix_s = 0,
                                       .commit = "abc",
                                       .same_machine = true});
  EXPECT_TRUE(base.bytes.contains("host_instructions_per_step"));
  EXPECT_TRUE(base.counts_by_boundary.contains("host_instructions_per_step"));
}

TEST(MakeBaseline, AGrowthOfWhatAProcessHoldsIsStoredWhereThereIsOne) {
  CaseValues values = sample_values();
  values.bytes["descriptors_growth_per_step"] = {0, 0};
  values.bytes["host_heap_growth_bytes_per_step"] = {0, 0};
  const Baseline without = make(values, Scope::portable);
  EXPECT_FALSE(without.bytes.contains("descriptors_growth_per_step")) << "another machine may not read the level";
  EXPECT_TRUE(without.bytes.contains("host_heap_growth_bytes_per_step"));
  values.bytes["descriptors_growth_per_step"] = {1, 1};
  EXPECT_EQ(make(values, Scope::portable).bytes.at("descriptors_growth_per_step"), std::vector<std::int64_t>{1});
}

TEST(MakeBaseline, KeepsWhatEachProcessGrewByWhereTheDifferenceIsJudgedByItsNoise) {
  CaseValues values = sample_values();
  const std::vector<LevelGrowth> grown = {{.per_step = 312, .noise = 41, .steps = 11},
                                          {.per_step = 280, .noise = 60, .steps = 11}};
  values.growth = {{"host_heap_growth_bytes_per_step", grown}, {"leak_bytes_per_step", grown}};
  const Baseline baseline = make(values, Scope::portable);
  ASSERT_EQ(baseline.growth.size(), 1U);
  EXPECT_EQ(baseline.growth.at("host_heap_growth_bytes_per_step").size(), 2U);
  values.growth["host_heap_growth_bytes_per_step"].pop_back();
  EXPECT_TRUE(make(values, Scope::portable).growth.empty()) << "one process has no spread";
}

TEST(MakeBaseline, WhatIsOnlyShownIsNotStoredAndNeedNotAgree) {
  CaseValues values = sample_values();
  values.exact["minor_faults_per_step"] = {{3, 0}, {4, 1}};
  EXPECT_FALSE(make(values, Scope::portable).exact.contains("minor_faults_per_step"));
  EXPECT_FALSE(make(values, Scope::device).exact.contains("minor_faults_per_step"));
}

TEST(MakeBaseline, WhatMustNeverBeIsNotStored) {
  CaseValues values = sample_values();
  values.exact["stream_hazards"] = {{1}, {1}};
  EXPECT_FALSE(make(values, Scope::device).exact.contains("stream_hazards"));
  EXPECT_TRUE(make(values, Scope::device).exact.contains("operators_per_step"));
}

TEST(MakeBaseline, RunnerHoldsOneSessionAndNoWorkOnAnyDevice) {
  for (const char* device : {"cpu", "cuda"}) {
    CaseValues values = sample_values();
    values.timed_fingerprint["device"] = device;
    const Baseline baseline = make(values, Scope::runner);
    EXPECT_EQ(baseline.runner_class, "h200-16c");
    ASSERT_EQ(baseline.sessions.size(), 1U);
    EXPECT_EQ(baseline.sessions[0].unix_s, 5000);
    EXPECT_EQ(baseline.sessions[0].timed.at("step_time_ns").size(), 2U);
    EXPECT_FALSE(has_exact_half(baseline)) << device;
  }
}

TEST(MakeBaseline, DeviceHoldsTheWorkOfARunThatMeasuredNoTimes) {
  CaseValues values = sample_values();
  values.timed.clear();  // only the exact half was measured, so there are no facts of timed processes
  values.timed_fingerprint = {{"cpu_model", "EPYC"}};
  values.exact_fingerprint = {{"gpu", "H200"}, {"cpu_model", "EPYC"}, {"device", "cuda"}, {"compiler", "GCC 12"}};
  const Baseline baseline = make(values, Scope::device);
  EXPECT_EQ(baseline.runner_class, "h200-16c");
  EXPECT_EQ(baseline.key, (Fingerprint{{"gpu", "H200"}, {"device", "cuda"}}));
  EXPECT_EQ(baseline.exact.at("operators_per_step"), (std::vector<std::int64_t>{412, 412}));
  EXPECT_TRUE(baseline.sessions.empty());
  EXPECT_EQ(baseline.provenance.sessions, 0);
  EXPECT_EQ(baseline.provenance.replicates, 2);
  EXPECT_EQ(baseline.provenance.compiler, "GCC 12");
}

TEST(MakeBaseline, RefusesDisagreeingReplicatesByName) {
  CaseValues values = sample_values();
  values.exact["operators_per_step"][1][1] = 413;
  EXPECT_THAT(error_of([&] { make(values, Scope::portable); }),
              AllOf(StartsWith("measure suite/case_one/tiny: "), HasSubstr("operators_per_step")));
  values = sample_values();
  values.numerics[1].grad_norm[0] = 1.0000001;
  EXPECT_THAT(error_of([&] { make(values, Scope::portable); }), HasSubstr("disagree on grad_norm"));
}

TEST(MakeBaseline, NamesLoaderWorkersWhereCountsDisagree) {
  CaseValues values = sample_values();
  values.exact["operators_per_step"][1][1] = 413;
  values.counts.worker_operators = {{"aten::cat", 3}, {"aten::stack", 4}};
  try {
    make(values, Scope::portable);
    FAIL() << "it became a baseline";
  } catch (const Error& error) {
    EXPECT_THAT(error.remedy(), AllOf(HasSubstr("aten::cat, ..."), HasSubstr("context.synchronous_loader")));
  }
}

TEST(MakeBaseline, RefusesWhatIsNotFinite) {
  CaseValues values = sample_values();
  values.numerics[1].loss[0] = std::nan("");
  EXPECT_THAT(error_of([&] { make(values, Scope::portable); }), HasSubstr("loss[0] is nan"));
  values = sample_values();
  values.timed["step_time_ns"][1] = INFINITY;
  EXPECT_THAT(error_of([&] { make(values, Scope::runner); }), HasSubstr("step_time_ns[1] is inf"));
}

TEST(MakeBaseline, RefusesAHalfThatWasNotMeasured) {
  CaseValues values = sample_values();
  values.timed.clear();
  EXPECT_THAT(error_of([&] { make(values, Scope::runner); }), HasSubstr("no clean timed replicate"));
  values = sample_values();
  values.exact.clear();
  values.bytes.clear();
  values.numerics.clear();
  EXPECT_THAT(error_of([&] { make(values, Scope::portable); }), HasSubstr("no clean exact replicate"));
}

class LossesOfAGpu : public testing::Test {
 protected:
  LossesOfAGpu() { values_.exact_fingerprint = {{"gpu", "H100"}, {"device", "cuda"}, {"dtype", "float32"}}; }
  Baseline make_with(const Policy* policy, Scope scope = Scope::device) const {
    return make_baseline({.values = values_,
                          .scope = scope,
                          .runner_class = "h100",
                          .utc = "2026-11-26T17:00:00Z",
                          .unix_s = 5000,
                          .commit = "abc",
                          .policy = policy});
  }

  CaseValues values_ = sample_values();
  const Policy policy_;
};

TEST_F(LossesOfAGpu, MayDifferByRounding) {
  values_.numerics[1].loss[0] *= 1 + 4e-7;
  values_.numerics[1].grad_norm[0] *= 1 + 4e-7;
  const Baseline baseline = make_with(&policy_);
  ASSERT_TRUE(baseline.numerics);
  EXPECT_EQ(baseline.numerics->loss, (std::vector<double>{4.0}));
  EXPECT_EQ(baseline.numerics->loss_digest, "") << "no process has these bits for certain";
  EXPECT_EQ(baseline.numerics->parameter_digest, "");
  EXPECT_TRUE(baseline.numerics->rounded);
}

TEST_F(LossesOfAGpu, ThatAgreeToTheBitKeepTheirDigests) {
  EXPECT_EQ(make_with(&policy_).numerics->loss_digest, "aa");
  EXPECT_FALSE(make_with(&policy_).numerics->rounded);
}

TEST_F(LossesOfAGpu, MayNotDifferByMore) {
  values_.numerics[1].loss[0] *= 1 + 2e-5;
  EXPECT_THAT(error_of([&] { make_with(&policy_); }), HasSubstr("disagree on loss"));
  values_.numerics[1] = values_.numerics[0];
  values_.numerics[1].grad_norm.clear();
  EXPECT_THAT(error_of([&] { make_with(&policy_); }), HasSubstr("disagree on"));
}

TEST_F(LossesOfAGpu, DifferByMoreWhereAnOperatorHasNoDeterministicImplementation) {
  values_.numerics[0].nondeterministic_operators = {"put_"};
  values_.numerics[1].nondeterministic_operators = {"put_", "scatter_add_cuda_kernel"};
  values_.numerics[1].loss[0] *= 1 + 2e-5;
  const Baseline baseline = make_with(&policy_);
  ASSERT_TRUE(baseline.numerics);
  EXPECT_TRUE(baseline.numerics->loss.empty()) << "judged by ranges";
  EXPECT_EQ(baseline.numerics->grad_norm, values_.numerics[0].grad_norm) << "the processes agree";
  EXPECT_EQ(baseline.numerics->loss_digest, "");
  EXPECT_EQ(baseline.numerics->nondeterministic_operators,
            (std::vector<std::string>{"put_", "scatter_add_cuda_kernel"}));
  values_.numerics[1].loss[0] = values_.numerics[0].loss[0] * (1 + 4e-7);
  EXPECT_EQ(make_with(&policy_).numerics->loss, values_.numerics[0].loss) << "rounding is compared as before";
  EXPECT_TRUE(make_with(&policy_).numerics->rounded);
}

TEST_F(LossesOfAGpu, ElsewhereLossesAgreeToTheBit) {
  values_.numerics[1].loss[0] *= 1 + 4e-7;
  EXPECT_THAT(error_of([&] { make_with(&policy_, Scope::portable); }), HasSubstr("disagree on loss"));
  EXPECT_THAT(error_of([&] { make_with(nullptr); }), HasSubstr("disagree on loss"));
}

}  // namespace
}  // namespace stepgate
