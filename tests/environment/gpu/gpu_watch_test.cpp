#include "environment/gpu/gpu_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/gpu/fake_nvml.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

using Stages = std::vector<MeasuredStage>;
constexpr MeasuredStage unknown = MeasuredStage::unknown;
constexpr MeasuredStage before_passes = MeasuredStage::before;
constexpr MeasuredStage measuring = MeasuredStage::measuring;
constexpr MeasuredStage after = MeasuredStage::after;

/// Looks once in each stage, a fifth of a second apart.
void look_through(GpuWatch& watch, const Stages& stages) {
  std::int64_t now_ns = 0;
  for (const MeasuredStage stage : stages) watch.look([&] { return stage; }, now_ns += 200'000'000);
}

Evidence evidence_of(const GpuWatch& watch) {
  Evidence evidence;
  watch.add_to(evidence);
  return evidence;
}

/// Of one GPU whose library follows the script.
Evidence watched(const Stages& stages) {
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  look_through(watch, stages);
  return evidence_of(watch);
}

std::vector<ProcessPlace> places(const std::vector<RunStage>& stages) {
  std::vector<ProcessPlace> all;
  for (const RunStage stage : stages) all.emplace_back().stage = stage;
  return all;
}

TEST(MeasuredStage, IsThatOfAllRanks) {
  EXPECT_EQ(measured_stage({}), unknown);
  EXPECT_EQ(measured_stage(places({RunStage::unknown, RunStage::unknown})), unknown);
  EXPECT_EQ(measured_stage(places({RunStage::before_passes, RunStage::unknown})), before_passes);
  EXPECT_EQ(measured_stage(places({RunStage::pass, RunStage::warm_up})), before_passes);
  EXPECT_EQ(measured_stage(places({RunStage::warm_up, RunStage::pass})), before_passes);
  EXPECT_EQ(measured_stage(places({RunStage::pass, RunStage::pass, RunStage::unknown})), measuring);
  EXPECT_EQ(measured_stage(places({RunStage::pass, RunStage::after_passes})), after);
}

TEST(GpuWatch, CountsWhatHappensInTheTimedPassesOnly) {
  FakeNvml fake;
  fake.set("COUNTERS", "270=0,10,25,40,99");  // before the process, three samples, and what a fourth would read
  EXPECT_EQ(
      watched({before_passes, measuring, measuring, measuring, after, after}).values.at(EvidenceKey::gpu_hw_thermal_ns),
      30);
}

TEST(GpuWatch, ForgetsWhatItReadBeforeTheWarmUp) {
  FakeNvml fake;
  fake.set("COUNTERS", "270=0,10,25,40,41");
  const Evidence evidence = watched({measuring, before_passes, measuring, measuring, after});
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_hw_thermal_ns), 15);
}

TEST(GpuWatch, AProgramThatDoesNotSayWhereItIsIsWatchedAllTheTime) {
  FakeNvml fake;
  fake.set("COUNTERS", "270=0,10,25,40");
  EXPECT_EQ(watched({unknown, unknown, unknown}).values.at(EvidenceKey::gpu_hw_thermal_ns), 30);
  fake.set("COUNTERS", "270=0,10,25,27");
  EXPECT_EQ(watched({unknown, measuring, measuring}).values.at(EvidenceKey::gpu_hw_thermal_ns), 2);
}

TEST(GpuWatch, ASampleAtTheEndOfThePassesDoesNotCount) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  Stages stages = {measuring, after};
  watch.look(
      [&] {
        const MeasuredStage now = stages.front();
        stages.erase(stages.begin());
        return now;
      },
      0);
  EXPECT_EQ(evidence_of(watch).absent.at(EvidenceKey::other_gpu_processes), "no reading fell into the timed passes");
}

TEST(GpuWatch, ReadsFiveTimesASecond) {
  FakeNvml fake;
  fake.set("COUNTERS", "270=0,1,2,3,4,5,6,7,8,9");  // one more at each reading
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  for (int round = 0; round < 9; ++round) watch.look([] { return measuring; }, round * 50'000'000);
  EXPECT_EQ(evidence_of(watch).values.at(EvidenceKey::gpu_hw_thermal_ns), 2) << "at 0, 0.2 and 0.4 s";
}

TEST(GpuWatch, FindsAProcessThatComesAndGoes) {
  FakeNvml fake;
  fake.set("PROCESSES", "0,1,2,1");
  EXPECT_EQ(watched({before_passes, measuring, measuring, measuring}).values.at(EvidenceKey::other_gpu_processes), 1);
  fake.set("PROCESSES", "0");
  EXPECT_THAT(watched({measuring, measuring}).absent,
              Contains(Pair(EvidenceKey::other_gpu_processes, HasSubstr("does not show our own process"))));
}

TEST(GpuWatch, RecordsMpsAndHoldsItAgainstNobody) {
  FakeNvml fake;
  fake.set("PROCESSES", "1,2");  // the server, then the server and we
  fake.set("MPS", "0,1");
  const Evidence evidence = watched({measuring, measuring});
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_mps_clients), 1);
  EXPECT_EQ(evidence.values.at(EvidenceKey::other_gpu_processes), 0);
}

TEST(GpuWatch, TakesTheWorstOfSeveralGpus) {
  FakeNvml fake;
  fake.set("GPUS", "2");
  fake.set("CLOCK", "1500,1500,1500,1200");  // before: both; then one sample of each
  fake.set("PROCESSES", "0,0,1,2");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0), FakeNvml::uuid(1)}});
  look_through(watch, {measuring});
  const Evidence evidence = evidence_of(watch);
  EXPECT_EQ(evidence.values.at(EvidenceKey::other_gpu_processes), 1);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_clock_mean_mhz), 1200);
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_hw_thermal_ns),
            "GPU " + FakeNvml::uuid(0) + ": the timed passes are too short for two readings");
}

TEST(GpuWatch, ShowsTheClockOfEachGpu) {
  FakeNvml fake;
  fake.set("GPUS", "2");
  fake.set("CLOCK", "1500,1500,1500,1200");  // before: both; then one sample of each
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0), FakeNvml::uuid(1)}});
  look_through(watch, {before_passes, measuring, after});
  const std::vector<ClockReadings> clocks = watch.clocks();
  ASSERT_EQ(clocks.size(), 2U);
  ASSERT_EQ(clocks[0].size(), 1U);
  EXPECT_EQ(clocks[0][0].mhz, 1500);
  EXPECT_GT(clocks[0][0].time_ns, 0);
  ASSERT_EQ(clocks[1].size(), 1U);
  EXPECT_EQ(clocks[1][0].mhz, 1200);
}

TEST(GpuWatch, AGpuThatHidesItsUsersDoesNotHideThoseOfTheOther) {
  FakeNvml fake;
  fake.set("GPUS", "2");
  fake.set("PROCESSES", "0,0,3,0");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0), FakeNvml::uuid(1)}});
  look_through(watch, {measuring});
  EXPECT_EQ(evidence_of(watch).values.at(EvidenceKey::other_gpu_processes), 2);
}

TEST(GpuWatch, NamesAGpuThatIsLostMidway) {
  FakeNvml fake;
  fake.set("FAIL", "nvmlDeviceGetHandleByUUID=15@40");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  look_through(watch, {measuring, measuring, measuring, measuring, measuring, measuring});
  EXPECT_EQ(watch.lost(),
            "GPU " + FakeNvml::uuid(0) + " was lost while the process ran: nvmlDeviceGetHandleByUUID: Some Error");
}

TEST(GpuWatch, AskedAtTheEndItFindsALossAfterTheLastSample) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  look_through(watch, {measuring, after});
  fake.set("FAIL", "nvmlDeviceGetHandleByUUID=15");
  EXPECT_THAT(watch.lost(), HasSubstr("was lost while the process ran"));
}

TEST(GpuWatch, TellsTheFaultsThatTheDriverReportedMeanwhile) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  EXPECT_EQ(watch.faults()->value, std::vector<GpuFault>{});
  fake.set("XIDS", "79 31");
  const std::vector<GpuFault> faults = watch.faults()->value.value();
  EXPECT_EQ(faults, (std::vector<GpuFault>{{FakeNvml::uuid(0), 79}, {FakeNvml::uuid(0), 31}}));
  EXPECT_FALSE(is_of_program(faults[0]));
  EXPECT_TRUE(is_of_program(faults[1])) << "an access out of bounds";
  EXPECT_FALSE(is_of_program({FakeNvml::uuid(0), 1234})) << "a number that is not in the table";
  EXPECT_EQ(text_of(std::vector<GpuFault>{faults[0]}),
            "Xid 79 (the GPU has fallen off the bus) of " + FakeNvml::uuid(0));
  EXPECT_EQ(watch.faults()->value, std::vector<GpuFault>{}) << "each once";
}

TEST(GpuWatch, TwoWatchesOfOneGpuAreToldTheSameFault) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch base(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  GpuWatch head(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  fake.set("XIDS", "79");
  const std::vector<GpuFault> fault = {{FakeNvml::uuid(0), 79}};
  EXPECT_EQ(base.faults()->value, fault);
  EXPECT_EQ(head.faults()->value, fault) << "the processes of a pair run at a time";
  GpuWatch next(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  EXPECT_EQ(next.faults()->value, std::vector<GpuFault>{}) << "it was before this process";
}

TEST(GpuWatch, WithoutAGpuThereIsNobodyToAskForFaults) {
  EXPECT_FALSE(GpuWatch(nullptr, {.uuids = {FakeNvml::uuid(0)}}).faults());
  const FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  EXPECT_FALSE(GpuWatch(library.get(), {}).faults());
}

TEST(GpuWatch, ADriverThatBeganToListenTooLateDoesNotTellOfNone) {
  FakeNvml fake;
  fake.set("FAIL", "nvmlDeviceRegisterEvents=999");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  fake.set("FAIL", "");
  EXPECT_FALSE(watch.faults()->value);
}

TEST(GpuWatch, AGpuThatIsLostSaysSo) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  fake.set("FAIL", "nvmlEventSetWait_v2=15");
  EXPECT_THAT(watch.faults()->reason, HasSubstr("nvmlEventSetWait_v2"));
}

TEST(GpuWatch, SaysWhyADriverReportsNoFaults) {
  FakeNvml fake;
  fake.set("FAIL", "nvmlDeviceRegisterEvents=3");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  EXPECT_FALSE(watch.faults()->value);
  EXPECT_THAT(watch.faults()->reason, HasSubstr("nvmlDeviceRegisterEvents"));
}

TEST(GpuWatch, AGpuThatWasNeverThereIsNotLost) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(3)}});
  look_through(watch, {measuring});
  EXPECT_EQ(watch.lost(), "");
  GpuWatch off(nullptr, {.uuids = {FakeNvml::uuid(0)}});
  look_through(off, {measuring});
  EXPECT_EQ(off.lost(), "");
  EXPECT_TRUE(evidence_of(off).values.empty());
}

}  // namespace
}  // namespace stepgate
