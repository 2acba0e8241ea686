#include "environment/process/cpu_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "environment/cpus/core_topology.h"
#include "environment/fake_root.h"
#include "environment/gpu/pci_bus_id.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* two_core_tree = "core:2 pu:1";
constexpr const char* four_cores_two_threads = "core:4 pu:2";         // cores {0,1} {2,3} {4,5} {6,7}
constexpr const char* two_packages = "package:2 numa:1 core:4 pu:1";  // 0-3 and 4-7

CpuRequest request(const char* topology, std::int64_t cores, const char* allowed) {
  CpuRequest wanted;
  wanted.synthetic_topology = topology;
  wanted.cores = cores;
  wanted.allowed = cpu_list_from_text(allowed).value();
  return wanted;
}

TEST(CpuChoice, LeavesTheLowestCoreToHousekeeping) {
  const CpuChoice choice = choose_cpus(request(two_core_tree, 1, "0-1"));
  EXPECT_THAT(choice.measured, ElementsAre(1));
  EXPECT_THAT(choice.housekeeping, ElementsAre(0));
  EXPECT_FALSE(choice.degraded);
  EXPECT_EQ(choice.reason, "measuring on CPU 1, one per core, of the whole machine; housekeeping on 0");
}

TEST(CpuChoice, TakesOneHardwareThreadPerCore) {
  const CpuChoice choice = choose_cpus(request(four_cores_two_threads, 2, "0-7"));
  EXPECT_THAT(choice.measured, ElementsAre(2, 4));
  EXPECT_THAT(choice.siblings, ElementsAre(3, 5));
  EXPECT_THAT(choice.housekeeping, ElementsAre(0, 1));
}

TEST(CpuChoice, StaysWithinTheAllowedCpus) {
  const CpuChoice choice = choose_cpus(request(four_cores_two_threads, 1, "3,6-7"));
  EXPECT_THAT(choice.measured, ElementsAre(6));
  EXPECT_THAT(choice.siblings, ElementsAre(7));
  EXPECT_THAT(choice.housekeeping, ElementsAre(3));
}

TEST(CpuChoice, GivesUpHousekeepingBeforeThreads) {
  const CpuChoice choice = choose_cpus(request(two_core_tree, 2, "0-1"));
  EXPECT_THAT(choice.measured, ElementsAre(0, 1));
  EXPECT_THAT(choice.housekeeping, IsEmpty());
  EXPECT_TRUE(choice.degraded);
  EXPECT_THAT(choice.reason, HasSubstr("no core is left over for housekeeping"));
}

TEST(CpuChoice, SaysSoWhereThereAreTooFewCores) {
  const CpuChoice choice = choose_cpus(request(four_cores_two_threads, 16, "0-7"));
  EXPECT_THAT(choice.measured, ElementsAre(0, 2, 4, 6));
  EXPECT_TRUE(choice.degraded);
  EXPECT_THAT(choice.reason, HasSubstr("16 cores were asked for and 4 can be had"));
}

TEST(CpuChoice, MeasuresOnTheOnlyCore) {
  const CpuChoice choice = choose_cpus(request(two_core_tree, 1, "0"));
  EXPECT_THAT(choice.measured, ElementsAre(0));
  EXPECT_THAT(choice.housekeeping, IsEmpty());
  EXPECT_TRUE(choice.degraded);
}

TEST(CpuChoice, GoesNearTheGpu) {
  const FakeRoot root;
  root.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "4-7\n");
  CpuRequest wanted = request(two_packages, 2, "0-7");
  wanted.sysroot = root.path();
  wanted.gpu_pci_bus_id = "00000000:3B:00.0";
  const CpuChoice choice = choose_cpus(wanted);
  EXPECT_THAT(choice.measured, ElementsAre(4, 5));
  EXPECT_THAT(choice.housekeeping, ElementsAre(0));
  EXPECT_FALSE(choice.degraded);
  EXPECT_THAT(choice.reason, HasSubstr("near GPU 0000:3b:00.0"));
}

TEST(CpuChoice, FallsBackWhereNothingNearTheGpuIsAllowed) {
  const FakeRoot root;
  root.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "4-7\n");
  CpuRequest wanted = request(two_packages, 1, "0-3");
  wanted.sysroot = root.path();
  wanted.gpu_pci_bus_id = "0000:3b:00.0";
  const CpuChoice choice = choose_cpus(wanted);
  EXPECT_THAT(choice.measured, ElementsAre(1));
  EXPECT_TRUE(choice.degraded);
  EXPECT_THAT(choice.reason, HasSubstr("far from GPU"));
}

TEST(CpuChoice, TreatsAnUnknownLocalityAsUnknown) {
  const FakeRoot root;
  CpuRequest wanted = request(two_packages, 1, "0-7");
  wanted.sysroot = root.path();
  wanted.gpu_pci_bus_id = "0000:3b:00.0";
  EXPECT_TRUE(choose_cpus(wanted).degraded);
  root.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "(null)\n");
  EXPECT_TRUE(choose_cpus(wanted).degraded);
  EXPECT_THAT(choose_cpus(wanted).reason, HasSubstr("not known"));
  root.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", "0-7\n");
  EXPECT_FALSE(choose_cpus(wanted).degraded);
}

TEST(CpuChoice, RefusesAllowedCpusThatDoNotExist) {
  EXPECT_THROW(choose_cpus(request(two_core_tree, 1, "5")), Error);
  EXPECT_THROW(choose_cpus(request(two_core_tree, 1, "")), Error);
}

TEST(CpuChoice, RefusesANonsenseTopology) { EXPECT_THROW(choose_cpus(request("cores!", 1, "0")), Error); }

TEST(CoreTopology, OfThisMachineCoversTheAllowedCpus) {
  CpuList all;
  for (const CpuList& core : cores_of_machine("")) all.insert(all.end(), core.begin(), core.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(difference(allowed_cpus(), all), CpuList{});
}

TEST(CoreTopology, DoesNotMoveTheCallingThread) {
  const CpuList before = allowed_cpus();
  cores_of_machine("");
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(PciBusId, IsWrittenAsTheKernelWritesIt) {
  EXPECT_EQ(kernel_pci_bus_id("00000000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(kernel_pci_bus_id("0000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(kernel_pci_bus_id("00010002:3b:00.0"), "00010002:3b:00.0") << "a domain that needs its digits";
}

}  // namespace
}  // namespace stepgate
