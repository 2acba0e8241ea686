#include "environment/energy/energy_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "environment/gpu/fake_nvml.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr std::int64_t second_ns = 1'000'000'000;

ProcessPlace place_in(const std::string& pass, std::int64_t step) {
  ProcessPlace place;
  place.enter_pass(pass);
  place.step.step = step;
  return place;
}

void look(EnergyWatch& watch, const ProcessPlace& place, std::int64_t now_ns) {
  watch.look([&] { return std::vector<ProcessPlace>{place}; }, now_ns);
}

Evidence evidence_of(const EnergyWatch& watch) {
  Evidence evidence;
  watch.add_to(evidence);
  return evidence;
}

/// A machine with one package, whose counter the test sets.
struct Machine {
  Machine() {
    folder.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    folder.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "100000000\n");
    count(0);
  }
  void count(std::int64_t energy_uj) {
    folder.write("sys/class/powercap/intel-rapl:0/energy_uj", std::to_string(energy_uj) + "\n");
  }
  EnergyRequest request() const { return {.sysroot = folder.path()}; }

  TemporaryFolder folder;
};

TEST(EnergyWatch, CountsBetweenTheFirstAndTheLastReadingInTheEndToEndPass) {
  Machine machine;
  EnergyWatch watch(machine.request());
  machine.count(90'000'000);
  look(watch, place_in("phase", 5), 0);
  look(watch, place_in("e2e", 10), second_ns);
  machine.count(4'000'000);  // it began again
  look(watch, place_in("e2e", 110), 4 * second_ns);
  machine.count(50'000'000);
  look(watch, place_in("synthetic", 120), 5 * second_ns);
  const Evidence evidence = evidence_of(watch);
  EXPECT_EQ(evidence.values.at(EvidenceKey::package_energy_j), 14);
  EXPECT_EQ(evidence.values.at(EvidenceKey::energy_steps), 100);
  EXPECT_FALSE(evidence.values.contains(EvidenceKey::gpu_energy_j) ||
               evidence.absent.contains(EvidenceKey::gpu_energy_j))
      << "no GPU was watched";
}

TEST(EnergyWatch, AddsUpTheGpusOfTheProcess) {
  FakeNvml fake;
  fake.set("GPUS", "2");
  fake.set("ENERGY_MJ", "1000,2000,6000,9000");  // both GPUs, then both again
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  Machine machine;
  EnergyRequest request = machine.request();
  request.driver = library.get();
  request.uuids = {FakeNvml::uuid(0), FakeNvml::uuid(1)};
  EnergyWatch watch(std::move(request));
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 60), 3 * second_ns);
  EXPECT_EQ(evidence_of(watch).values.at(EvidenceKey::gpu_energy_j), 12);
}

TEST(EnergyWatch, SaysWhyAGpuHasNoCounter) {
  FakeNvml fake;
  fake.set("FAIL", "nvmlDeviceGetTotalEnergyConsumption=3");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  Machine machine;
  EnergyRequest request = machine.request();
  request.driver = library.get();
  request.uuids = {FakeNvml::uuid(0)};
  EnergyWatch watch(request);
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 60), 3 * second_ns);
  EXPECT_THAT(evidence_of(watch).absent.at(EvidenceKey::gpu_energy_j), HasSubstr("Not Supported"));
  request.why_no_gpu = "the GPU is split";
  EnergyWatch split(request);
  look(split, place_in("e2e", 0), 0);
  look(split, place_in("e2e", 60), 3 * second_ns);
  EXPECT_EQ(evidence_of(split).absent.at(EvidenceKey::gpu_energy_j), "the GPU is split");
}

TEST(EnergyWatch, NoGpuIsNoEnergyOfZero) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  Machine machine;
  EnergyRequest request = machine.request();
  request.driver = library.get();
  EnergyWatch watch(std::move(request));
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 60), 3 * second_ns);
  const Evidence evidence = evidence_of(watch);
  EXPECT_FALSE(evidence.values.contains(EvidenceKey::gpu_energy_j));
  EXPECT_THAT(evidence.absent.at(EvidenceKey::gpu_energy_j), HasSubstr("does not know which GPUs"));
}

TEST(EnergyWatch, SaysNothingOfAShortPass) {
  Machine machine;
  EnergyWatch watch(machine.request());
  EXPECT_THAT(evidence_of(watch).absent.at(EvidenceKey::package_energy_j), HasSubstr("less than 2 s"));
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 100), second_ns);
  EXPECT_THAT(evidence_of(watch).absent.at(EvidenceKey::package_energy_j), HasSubstr("less than 2 s"));
  look(watch, place_in("e2e", 0), 4 * second_ns);
  EXPECT_THAT(evidence_of(watch).absent.at(EvidenceKey::package_energy_j), HasSubstr("less than 2 s"))
      << "no step was done";
}

TEST(EnergyWatch, ReadsFiveTimesASecond) {
  Machine machine;
  EnergyWatch watch(machine.request());
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 1), 100'000'000);
  look(watch, place_in("e2e", 40), 4 * second_ns);
  look(watch, place_in("e2e", 41), 4 * second_ns + 100'000'000);
  EXPECT_EQ(evidence_of(watch).values.at(EvidenceKey::energy_steps), 40);
}

TEST(EnergyWatch, LooksAtNoProcessThatTakesTurns) {
  Machine machine;
  EnergyRequest request = machine.request();
  request.why_not = "the other process used energy in between";
  EnergyWatch watch(request);
  look(watch, place_in("e2e", 0), 0);
  look(watch, place_in("e2e", 100), 4 * second_ns);
  EXPECT_EQ(evidence_of(watch).absent.at(EvidenceKey::package_energy_j), request.why_not);
}

TEST(EnergyWatch, AReadingAtTheEndOfThePassDoesNotCount) {
  Machine machine;
  EnergyWatch watch(machine.request());
  look(watch, place_in("e2e", 0), 0);
  bool first = true;
  watch.look(
      [&] {
        return std::vector<ProcessPlace>{std::exchange(first, false) ? place_in("e2e", 100) : place_in("phase", 0)};
      },
      4 * second_ns);
  EXPECT_TRUE(evidence_of(watch).values.empty());
}

TEST(EnergyWatch, APlaceWithoutAnEndOfItsNameIsNoPass) {
  ProcessPlace place = place_in("e2e", 0);
  place.pass.fill('e');
  Machine machine;
  EnergyWatch watch(machine.request());
  look(watch, place, 0);
  look(watch, place, 4 * second_ns);
  EXPECT_TRUE(evidence_of(watch).values.empty());
}

}  // namespace
}  // namespace stepgate
