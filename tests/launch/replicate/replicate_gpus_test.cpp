// One process on a GPU from start to end, with the fake management library as its driver.
#include "launch/replicate/replicate_gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/gpu/fake_nvml.h"
#include "support/fake_program.h"
#include "system/place_page.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

std::string page_in(RunStage stage) {
  PlacePageLayout page;
  page.ranks[0].stage = stage;
  return {reinterpret_cast<const char*>(&page), sizeof page};
}

/// Warms up, runs its passes for a second and a half, and writes its record.
constexpr const char* measures_a_while = R"sh(
stage() { cat "$here/$1" 1<>/proc/self/fd/$(expr $STEPGATE_PLACE + 0); }
stage warm_up; sleep 0.3
stage pass; sleep 1.5
stage after_passes
good
)sh";

class ReplicateGpus : public testing::Test {
 protected:
  ReplicateGpus() : program_(measures_a_while) {
    program_.folder().write("warm_up", page_in(RunStage::warm_up));
    program_.folder().write("pass", page_in(RunStage::pass));
    program_.folder().write("after_passes", page_in(RunStage::after_passes));
  }

  Measurement measured(Group group) {
    const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
    LaunchRequest request = program_.request({group});
    request.device = Device::cuda;
    request.guard.gpu = library.get();
    request.gpus = {{.gpu = {.uuid = FakeNvml::uuid(0)}, .visible = FakeNvml::uuid(0)}};
    request.plan.timed_replicates = 1;
    return measure_case(request, {});
  }

  FakeNvml fake_;
  FakeProgram program_;
};

TEST_F(ReplicateGpus, HeatWhileTheProcessWarmsUpIsNotOfTheWindow) {
  fake_.set("COUNTERS", "270=0,500");  // grows once, before the first sample of the passes
  fake_.set("PROCESSES", "0,1");
  const Measurement measurement = measured(Group::exact);
  const Replicate& replicate = measurement.replicates.at(0);
  ASSERT_FALSE(replicate.failure) << replicate.failure->message;
  EXPECT_EQ(replicate.evidence.values.at(EvidenceKey::gpu_hw_thermal_ns), 0);
  EXPECT_EQ(replicate.evidence.values.at(EvidenceKey::other_gpu_processes), 0);
  EXPECT_EQ(measurement.host.at("gpu_power_limit_w"), "700");
  EXPECT_EQ(measurement.host.at("gpu_pcie_link"), "gen5 x16");
  EXPECT_EQ(measurement.host.at("gpu_environment"), "default");
}

TEST_F(ReplicateGpus, AProcessOfAnotherThatComesAndGoesIsFound) {
  // One value per reading. How many readings come before the passes is not known: on a slow machine there are some.
  std::string readings = "0";
  for (int i = 0; i < 50; ++i) readings += ",1,2";
  fake_.set("PROCESSES", readings + ",1");
  EXPECT_EQ(measured(Group::exact).replicates.at(0).evidence.values.at(EvidenceKey::other_gpu_processes), 1);
}

TEST_F(ReplicateGpus, AListWithoutOurProcessIsNotObservable) {
  const Replicate replicate = measured(Group::exact).replicates.at(0);
  EXPECT_THAT(replicate.evidence.absent.at(EvidenceKey::other_gpu_processes),
              HasSubstr("not observable: the list does not show our own process"));
}

TEST_F(ReplicateGpus, ALostGpuIsAFailure) {
  fake_.set("PROCESSES", "0,1");
  fake_.set("FAIL", "nvmlDeviceGetHandleByUUID=15@30");
  const Replicate replicate = measured(Group::exact).replicates.at(0);
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::crashed);
  EXPECT_THAT(replicate.failure->message, HasSubstr("was lost while the process ran: nvmlDeviceGetHandleByUUID"));
  EXPECT_FALSE(replicate.record);
}

TEST_F(ReplicateGpus, AFaultOfTheMachineIsRepeatedOnce) {
  fake_.set("XIDS", "79");
  const FakeProgram fails_once(R"sh(
if [ ! -e "$here/has_failed" ]; then : > "$here/has_failed"; exit 3; fi
good
)sh");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  LaunchRequest request = fails_once.request({Group::exact});
  request.device = Device::cuda;
  request.guard.gpu = library.get();
  request.gpus = {{.gpu = {.uuid = FakeNvml::uuid(0)}, .visible = FakeNvml::uuid(0)}};
  request.plan.exact_replicates = 1;
  request.plan.max_retries = 0;
  const std::vector<Replicate> replicates = measure_case(request, {}).replicates;
  ASSERT_EQ(replicates.size(), 2U);
  ASSERT_TRUE(replicates[0].failure);
  EXPECT_EQ(replicates[0].failure->kind, FailureKind::infrastructure);
  EXPECT_THAT(replicates[0].set_aside, HasSubstr("Xid 79"));
  EXPECT_EQ(replicates[1].attempt, 1);
  EXPECT_TRUE(replicates[1].record) << "the code is not at fault";
}

TEST(LostGpu, IsAddedToWhatTheProcessSaysAndIsNoSkip) {
  Replicate replicate;
  replicate.failure = {FailureKind::unavailable, "no CUDA device is visible", ""};
  add_lost_gpu("GPU 3 was lost", replicate);
  EXPECT_EQ(replicate.failure->kind, FailureKind::crashed);
  EXPECT_EQ(replicate.failure->message, "no CUDA device is visible; GPU 3 was lost");
  Replicate fine;
  add_lost_gpu("", fine);
  EXPECT_FALSE(fine.failure);
}

TEST(GpuFaults, AreInfrastructureWhereTheProcessFailed) {
  Replicate replicate;
  replicate.failure = {FailureKind::crashed, "killed by SIGABRT", ""};
  add_gpu_faults({std::vector<GpuFault>{{"GPU-1", 79}}, 0, ""}, replicate);
  EXPECT_EQ(replicate.failure->kind, FailureKind::infrastructure);
  EXPECT_EQ(replicate.failure->message,
            "killed by SIGABRT; meanwhile the GPU's driver reported Xid 79 (the GPU has fallen off the bus) of GPU-1");
  EXPECT_EQ(replicate.evidence.values.at(EvidenceKey::gpu_xid_errors), 1);
  EXPECT_TRUE(counts_as_failed(replicate));
  replicate.set_aside = "repeated";
  EXPECT_FALSE(counts_as_failed(replicate));
}

TEST(GpuFaults, ThatAProgramCausesChangeNothing) {
  Replicate replicate;
  replicate.failure = {FailureKind::crashed, "killed by SIGABRT", ""};
  add_gpu_faults({std::vector<GpuFault>{{"GPU-1", 31}, {"GPU-1", 43}}, 0, ""}, replicate);
  EXPECT_EQ(replicate.failure->kind, FailureKind::crashed);
  EXPECT_EQ(replicate.evidence.values.at(EvidenceKey::gpu_xid_errors), 0);
  Replicate fine;
  add_gpu_faults({std::vector<GpuFault>{{"GPU-1", 94}}, 0, ""}, fine);
  EXPECT_FALSE(fine.failure);
  EXPECT_EQ(fine.evidence.values.at(EvidenceKey::gpu_xid_errors), 1) << "it discards a timed process";
}

TEST(GpuFaults, OfAGpuThatIsLostAreAbsentWithTheReason) {
  Replicate replicate;
  add_gpu_faults({std::nullopt, ENODEV, "nvmlEventSetWait_v2: GPU is lost"}, replicate);
  EXPECT_EQ(replicate.evidence.absent.at(EvidenceKey::gpu_xid_errors), "nvmlEventSetWait_v2: GPU is lost");
}

TEST(GpuUuids, MayBeSeveral) {
  LaunchRequest launch;
  EXPECT_TRUE(gpu_uuids_of(launch).empty());
  launch.gpus = {{.gpu = {.uuid = "GPU-1"}, .visible = "GPU-1"}, {.gpu = {.uuid = "GPU-2"}, .visible = "MIG-3"}};
  EXPECT_EQ(gpu_uuids_of(launch), (std::vector<std::string>{"GPU-1", "GPU-2"}));
}

TEST_F(ReplicateGpus, TheDriverOfAnEmulatedGpuIsTheOneThatWasOpened) {
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  LaunchRequest request;
  request.plan.device = Device::cuda;
  request.guard.gpu = library.get();
  Fingerprint facts = {{"gpu_driver", "of this machine"}};
  add_gpu_facts(request, facts);
  EXPECT_EQ(facts.at("gpu_driver"), "of this machine");
  request.emulated = EmulatedGpu{.device = {"h100", 1}, .folder = "/b/emulated_gpu", .settings = {}};
  add_gpu_facts(request, facts);
  EXPECT_EQ(facts.at("gpu_driver"), library.get()->version().value);
}

}  // namespace
}  // namespace stepgate
