// Each line of the self-test of a GPU, from both sides of each threshold.
#include "judge/device/device_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/sample_device.h"

namespace stepgate {

void PrintTo(DeviceVerdict verdict, std::ostream* to) { *to << name_of(verdict); }

namespace {

using testing::HasSubstr;
using testing::Not;
using enum DeviceVerdict;

DeviceLine line_of(const DeviceCheckRuns& runs, const std::string& name) {
  const std::vector<DeviceLine> lines = judge_device(runs);
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const DeviceLine& line) { return line.name == name; });
  return found == lines.end() ? DeviceLine{} : *found;
}

/// The verdict of `line` after one figure of a good runner was changed.
DeviceVerdict verdict_with(const std::string& line, const std::string& run, const std::string& figure, double value) {
  DeviceCheckRuns runs = sample_device_runs();
  sample_value(runs, run, figure) = value;
  return line_of(runs, line).verdict;
}

TEST(DeviceLines, AreAllOkOnAGoodRunner) {
  for (const DeviceLine& line : judge_device(sample_device_runs())) {
    EXPECT_EQ(line.verdict, ok) << line.name << ": " << line.figure;
    EXPECT_EQ(line.remedy, "") << line.name;
    EXPECT_FALSE(breaks_verdicts(line)) << line.name;
  }
}

TEST(DeviceLines, HaveNamesOfTheirOwnAndQuestions) {
  std::set<std::string> names;
  for (const DeviceLine& line : judge_device(sample_device_runs())) {
    EXPECT_TRUE(names.insert(line.name).second) << line.name;
    EXPECT_TRUE(line.question.ends_with("?")) << line.name;
    EXPECT_NE(line.meaning, "") << line.name;
  }
  EXPECT_EQ(names.size(), 14U);
}

/// It has no times and computes nothing: equal digests of nothing and made-up costs are no green.
TEST(DeviceLines, OfAnEmulatedGpuAreWhatItCounts) {
  DeviceCheckRuns runs = sample_device_runs();
  runs.at("device").figures.texts.at("gpu") = "emulated H100, model 1";
  std::set<std::string> unseen;
  for (const DeviceLine& line : judge_device(runs)) {
    if (line.verdict == cannot_see) unseen.insert(line.name);
    EXPECT_FALSE(breaks_verdicts(line)) << line.name;
  }
  EXPECT_THAT(unseen, testing::ElementsAre("clock", "copy_rate", "event_cost", "event_order", "growth_race",
                                           "nvml_cost", "pinning", "same_training"));
}

TEST(DeviceLines, ABadOneNamesARemedy) {
  for (const DeviceLine& line : judge_device(sample_bad_device_runs())) {
    if (line.verdict == bad || line.verdict == crashed) {
      EXPECT_NE(line.remedy, "") << line.name;
    }
  }
}

TEST(DeviceLines, DeviceIsTheOneThatTheDriverNames) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["busy"].figures.texts["gpu_pci_bus_id"] = "0000:5b:00.0";
  EXPECT_EQ(line_of(runs, "device").verdict, bad);
  EXPECT_TRUE(breaks_verdicts(line_of(runs, "device")));
  runs.erase("nvml");
  EXPECT_EQ(line_of(runs, "device").verdict, look) << "no evidence, and nothing wrong";
}

TEST(DeviceLines, AUuidThatOpensAnotherGpuIsBad) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["nvml"].figures.texts["gpu_pci_bus_id"] = "0000:5b:00.0";
  const DeviceLine line = line_of(runs, "device");
  EXPECT_EQ(line.verdict, bad) << "each process opens the same wrong one";
  EXPECT_THAT(line.figure, HasSubstr("at 0000:3b:00.0, and the driver has the GPU of its UUID at 0000:5b:00.0"));
}

TEST(DeviceLines, EventsOfTwoStreamsShareOneClock) {
  EXPECT_EQ(verdict_with("event_order", "event_order", "backward_ns", 10.1e6), bad) << "the sign is lost";
  EXPECT_EQ(verdict_with("event_order", "event_order", "backward_ns", 0), bad) << "refused as invalid";
  EXPECT_EQ(verdict_with("event_order", "event_order", "backward_ns", -10.1e6 + 999), ok) << "within the resolution";
  EXPECT_EQ(verdict_with("event_order", "event_order", "backward_ns", -10.1e6 + 1001), bad);
  DeviceCheckRuns runs = sample_device_runs();
  sample_value(runs, "event_order", "forward_ns") = -5;
  sample_value(runs, "event_order", "backward_ns") = 5;
  EXPECT_EQ(line_of(runs, "event_order").verdict, bad) << "time runs backwards";
}

TEST(DeviceLines, OneWrongByteOfAnOrderedBufferIsBad) {
  EXPECT_EQ(verdict_with("growth_race", "growth_race", "ordered_wrong_bytes", 1), bad);
  EXPECT_EQ(verdict_with("growth_race", "growth_race", "unordered_wrong_bytes", 0), look);
  EXPECT_EQ(verdict_with("growth_race", "growth_race", "unordered_wrong_bytes", 1), ok);
}

TEST(DeviceLines, LibTorchWarnsOfItsOwnSyncs) {
  for (const char* kind : {"item_count", "nonzero_count", "pageable_copy_count"}) {
    EXPECT_EQ(verdict_with("syncs_by_warning", "syncs_by_warning", kind, 0), bad) << kind;
  }
  EXPECT_EQ(verdict_with("syncs_by_warning", "syncs_by_warning", "kernel_count", 1), bad) << "counts what is no sync";
}

TEST(DeviceLines, CuptiSeesEveryKind) {
  for (const auto& [kind, count] : sample_sync_counts()) {
    if (kind == "kernel_count") continue;
    EXPECT_EQ(verdict_with("syncs_by_cupti", "syncs_by_cupti", kind, 0), bad) << kind;
  }
  EXPECT_EQ(verdict_with("syncs_by_cupti", "syncs_by_cupti", "kernel_count", 1), bad) << "counts what is no sync";
}

TEST(DeviceLines, WhatCuptiRefusesCannotBeSeen) {
  const DeviceLine line = line_of(sample_bad_device_runs(), "syncs_by_cupti");
  EXPECT_EQ(line.verdict, cannot_see);
  EXPECT_THAT(line.figure, HasSubstr("insufficient privileges"));
  EXPECT_FALSE(breaks_verdicts(line)) << "the metric is absent, so that no verdict rests on it";
}

TEST(DeviceLines, TraceAndStatisticsAreEqualToTheByte) {
  EXPECT_EQ(verdict_with("allocator_trace", "allocator_trace", "trace_peak_bytes", 8397315), bad);
  DeviceCheckRuns runs = sample_device_runs();
  sample_value(runs, "allocator_trace", "trace_peak_bytes") = 0;
  sample_value(runs, "allocator_trace", "statistics_peak_bytes") = 0;
  EXPECT_EQ(line_of(runs, "allocator_trace").verdict, bad) << "two counters that see nothing";
}

TEST(DeviceLines, WorkThatNoCallAskedForIsBad) {
  for (const char* kind : {"kernels", "memcpys", "memsets"}) {
    EXPECT_EQ(verdict_with("work_counts", "work_by_kineto", kind, 43), bad) << kind;
    EXPECT_EQ(verdict_with("work_counts", "work_by_cupti", kind, 0), bad) << kind;
  }
  DeviceCheckRuns runs = sample_device_runs();
  for (const char* run : {"work_by_cupti", "work_by_kineto"}) {
    for (const char* kind : {"kernels", "memcpys", "memsets"}) sample_value(runs, run, kind) = 0;
  }
  EXPECT_EQ(line_of(runs, "work_counts").verdict, bad) << "two counters that see nothing";
}

TEST(DeviceLines, ACallMayLeaveNoRecord) {
  EXPECT_EQ(verdict_with("work_counts", "work_by_cupti", "memsets", 1055), ok) << "as cuBLAS's on an H100";
  EXPECT_EQ(verdict_with("work_counts", "work_by_cupti", "kernels", 43), look) << "a profile lacks it";
  EXPECT_EQ(verdict_with("work_counts", "work_by_cupti", "memcpys", 3), look);
}

TEST(DeviceLines, KernelsThatTheDriverLaunchedAreSaid) {
  DeviceCheckRuns runs = sample_device_runs();
  EXPECT_THAT(line_of(runs, "work_counts").figure, Not(HasSubstr("driver"))) << "of an older version";
  runs["work_by_cupti"].figures.values["driver_kernels"] = 12;
  EXPECT_THAT(line_of(runs, "work_counts").figure, HasSubstr("of the kernels 12 by calls of the driver"));
  EXPECT_EQ(line_of(runs, "work_counts").verdict, ok);
}

TEST(DeviceLines, OneBitOfTrainingIsBad) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["training_again"].figures.texts["digest"] = "9f3c51d02ab84e76";
  EXPECT_EQ(line_of(runs, "same_training").verdict, bad);
  EXPECT_TRUE(breaks_verdicts(line_of(runs, "same_training")));
}

TEST(DeviceLines, TrainingMayDifferWhereLibTorchRefusesToBeDeterministic) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["training"].figures.texts["nondeterministic_operators"] = "Flash Attention";
  EXPECT_EQ(line_of(runs, "same_training").verdict, ok);
  EXPECT_THAT(line_of(runs, "same_training").figure, HasSubstr("not deterministic in this LibTorch: Flash Attention"));
  runs["training_again"].figures.texts["digest"] = "9f3c51d02ab84e76";
  EXPECT_EQ(line_of(runs, "same_training").verdict, look);
  EXPECT_FALSE(breaks_verdicts(line_of(runs, "same_training")));
}

TEST(DeviceLines, EventsMayCostAThousandthOfAUsualStep) {
  EXPECT_EQ(verdict_with("event_cost", "event_cost", "record_ns", 2500), ok);
  EXPECT_EQ(verdict_with("event_cost", "event_cost", "record_ns", 2501), look);
  EXPECT_EQ(verdict_with("event_cost", "event_cost", "record_ns", 25'000), look);
  EXPECT_EQ(verdict_with("event_cost", "event_cost", "record_ns", 25'001), bad);
}

TEST(DeviceLines, PinningNeitherWaitsNorTakesLong) {
  EXPECT_EQ(verdict_with("pinning", "pinning", "behind_work_ns", 0.8 * 210e6), ok);
  EXPECT_EQ(verdict_with("pinning", "pinning", "behind_work_ns", 0.8 * 210e6 + 1), look);
  EXPECT_EQ(verdict_with("pinning", "pinning", "idle_ns", 128 * 1.2e6), ok);
  EXPECT_EQ(verdict_with("pinning", "pinning", "idle_ns", 128 * 1.2e6 + 128), look);
  EXPECT_EQ(verdict_with("pinning", "pinning", "idle_ns", 128 * 3e6), look);
  EXPECT_EQ(verdict_with("pinning", "pinning", "idle_ns", 128 * 3e6 + 128), bad);
}

TEST(DeviceLines, ASampleCostsAHundredthOfACpu) {
  EXPECT_EQ(verdict_with("nvml_cost", "nvml", "sample_ns", 2e6), ok);
  EXPECT_EQ(verdict_with("nvml_cost", "nvml", "sample_ns", 2e6 + 1), look);
  EXPECT_EQ(verdict_with("nvml_cost", "nvml", "sample_ns", 20e6), look);
  EXPECT_EQ(verdict_with("nvml_cost", "nvml", "sample_ns", 20e6 + 1), bad);
}

TEST(DeviceLines, CopiesReachTheirLink) {
  const auto verdict = [](double pinned) {
    return verdict_with("copy_rate", "copy_rate", "pinned_bytes_per_s", pinned);
  };
  EXPECT_EQ(verdict(63e9 * 1.06), bad) << "not this link";
  EXPECT_EQ(verdict(63e9 * 1.04), ok);
  EXPECT_EQ(verdict(63e9 * 0.61), ok);
  EXPECT_EQ(verdict(63e9 * 0.59), look);
  EXPECT_EQ(verdict(63e9 * 0.26), look);
  EXPECT_EQ(verdict(63e9 * 0.24), bad);
  EXPECT_EQ(verdict(11.1e9), bad) << "slower than pageable";
}

TEST(DeviceLines, ALinkThatNobodyDescribesCannotBeSeen) {
  DeviceCheckRuns runs = sample_device_runs();
  runs["copy_rate"].figures.values.erase("link_bytes_per_s");
  EXPECT_EQ(line_of(runs, "copy_rate").verdict, crashed) << "the check does not say why";
  runs["copy_rate"].figures.absent["link_bytes_per_s"] = "the kernel does not report the speed of the link";
  EXPECT_EQ(line_of(runs, "copy_rate").verdict, cannot_see);
}

TEST(DeviceLines, TheDriversClockIsTheOneOfTheWork) {
  EXPECT_EQ(verdict_with("clock", "nvml", "clock_mhz", 1972 * 1.049), ok);
  EXPECT_EQ(verdict_with("clock", "nvml", "clock_mhz", 1972 * 1.051), look);
  EXPECT_EQ(verdict_with("clock", "nvml", "clock_mhz", 1972 * 0.81), look);
  EXPECT_EQ(verdict_with("clock", "nvml", "clock_mhz", 1972 * 0.79), bad);
}

TEST(DeviceLines, OurProcessIsListedAlone) {
  EXPECT_EQ(verdict_with("process_list", "nvml", "listed_during_count", 0), bad);
  DeviceCheckRuns runs = sample_device_runs();
  sample_value(runs, "nvml", "listed_before_count") = 2;
  sample_value(runs, "nvml", "listed_during_count") = 3;
  EXPECT_EQ(line_of(runs, "process_list").verdict, look);
  sample_value(runs, "nvml", "listed_during_count") = 2;
  EXPECT_EQ(line_of(runs, "process_list").verdict, bad) << "others, and not ours";
}

TEST(DeviceLines, ACheckThatCrashesIsItsOwnLine) {
  for (auto& [name, good] : sample_device_runs()) {
    DeviceCheckRuns runs = sample_device_runs();
    runs[name] = {CheckEnd::crashed, "killed by signal 11 (SIGSEGV) after 0.4 s", {}};
    int crashes = 0;
    for (const DeviceLine& line : judge_device(runs)) crashes += line.verdict == crashed ? 1 : 0;
    // The driver's readings and the busy process serve several lines.
    EXPECT_EQ(crashes, name == "nvml" ? 3 : name == "busy" ? 2 : 1) << name;
  }
  const DeviceLine line = line_of(sample_bad_device_runs(), "allocator_trace");
  EXPECT_THAT(line.figure, HasSubstr("SIGSEGV"));
  EXPECT_THAT(line.remedy, HasSubstr("stepgate_device_check --check allocator_trace"));
  EXPECT_TRUE(breaks_verdicts(line));
}

TEST(DeviceLines, NothingMeasuredIsNoGreenLine) {
  for (const DeviceLine& line : judge_device({})) EXPECT_EQ(line.verdict, crashed) << line.name;
}

}  // namespace
}  // namespace stepgate
