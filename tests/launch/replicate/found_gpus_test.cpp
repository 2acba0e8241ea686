#include "launch/replicate/found_gpus.h"

#include <gmock/gmock.h>

#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Gpu gpu(const std::string& uuid, const std::string& bus_id, Mig mig = Mig::off) {
  return {.uuid = uuid, .name = "", .pci_bus_id = bus_id, .mig = mig};
}

const std::vector<Gpu> listed = {gpu("GPU-1", "00000000:3B:00.0"), gpu("GPU-2", "00000000:4B:00.0"),
                                 gpu("GPU-3", "00000000:5B:00.0", Mig::on)};

TEST(FoundGpus, TheRecordNamesTheGpuOfEachRank) {
  RunRecord record;
  EXPECT_THAT(bus_ids_of(record), IsEmpty());
  record.fingerprint["gpu_pci_bus_id"] = "0000:3B:00.0,00000000:4b:00.0";
  EXPECT_THAT(bus_ids_of(record), ElementsAre("0000:3b:00.0", "0000:4b:00.0"));
  const FoundGpus found = found_gpus(bus_ids_of(record), listed);
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(visible_text(found.gpus), "GPU-1,GPU-2");
}

TEST(FoundGpus, OneThatTheDriverDoesNotListIsAProblem) {
  const FoundGpus found = found_gpus({"0000:3b:00.0", "0000:86:00.0"}, listed);
  EXPECT_THAT(found.problem, HasSubstr("GPU 0000:86:00.0, which the driver does not list"));
  EXPECT_THAT(found.gpus, IsEmpty());
}

TEST(FoundGpus, AnInstanceOfMigIsWatchedAndNotPinned) {
  const FoundGpus found = found_gpus({"0000:5b:00.0"}, listed);
  ASSERT_EQ(found.gpus.size(), 1U);
  EXPECT_EQ(found.gpus[0].gpu.uuid, "GPU-3");
  EXPECT_EQ(visible_text(found.gpus), "");
}

TEST(FoundGpus, WhatIsUnavailableIsNotStarted) {
  const FakeProgram program(R"(echo started >> "$here/log"; good)");
  LaunchRequest request = program.request({Group::exact, Group::timed});
  request.unavailable = ReplicateFailure{FailureKind::too_few_gpus, "needs 2 GPUs, this machine offers 1", ""};
  const Measurement measurement = measure_case(request, {});
  EXPECT_EQ(program.text_of("log"), "");
  ASSERT_EQ(measurement.replicates.size(), 2U);
  for (const Replicate& replicate : measurement.replicates) {
    EXPECT_EQ(replicate.failure.value().kind, FailureKind::too_few_gpus);
  }
}

}  // namespace
}  // namespace stepgate
