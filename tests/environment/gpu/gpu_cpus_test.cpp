#include "environment/gpu/gpu_cpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/fake_root.h"
#include "environment/gpu/fake_nvml.h"

namespace stepgate {
namespace {

/// A machine of 16 CPUs with one GPU at 0000:3b:00.0; the driver names CPUs by FAKE_NVML_CPU_MASK, 4-7 at first.
class CpusNearGpu : public testing::Test {
 protected:
  CpusNearGpu() {
    root_.write("sys/devices/system/cpu/online", "0-15\n");
    kernel_says("0", "4-7");
  }

  void kernel_says(const std::string& node, const std::string& cpus) {
    root_.write("sys/bus/pci/devices/0000:3b:00.0/numa_node", node + "\n");
    root_.write("sys/bus/pci/devices/0000:3b:00.0/local_cpulist", cpus + "\n");
  }
  GpuCpus near() {
    const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
    GpuDriver& driver = *library.get();
    return cpus_near_gpu(driver, driver.gpus().value.value().at(0), SystemFiles(root_.path()));
  }

  const FakeRoot root_;
  FakeNvml fake_;
};

TEST_F(CpusNearGpu, AgreesIfBothNameTheSameCpus) {
  const GpuCpus cpus = near();
  EXPECT_EQ(cpus.by_kernel, (CpuList{4, 5, 6, 7}));
  EXPECT_EQ(cpus.by_driver, (CpuList{4, 5, 6, 7}));
  EXPECT_FALSE(cpus.disagree);
  EXPECT_EQ(cpus.reason, "near GPU 0000:3b:00.0 is CPU 4-7, as the kernel and the driver say");
}

TEST_F(CpusNearGpu, ReportsADisagreement) {
  kernel_says("0", "0-3");
  const GpuCpus cpus = near();
  EXPECT_TRUE(cpus.disagree);
  EXPECT_EQ(cpus.reason, "the kernel and the driver disagree: near GPU 0000:3b:00.0 is CPU 0-3 or 4-7");
}

TEST_F(CpusNearGpu, ANodeOfMinusOneIsUnknown) {
  kernel_says("-1", "4-7");
  const GpuCpus cpus = near();
  EXPECT_FALSE(cpus.by_kernel);
  EXPECT_FALSE(cpus.disagree);
  EXPECT_EQ(
      cpus.reason,
      "near GPU 0000:3b:00.0 is CPU 4-7 as the driver says; unknown to the kernel, which knows no NUMA node of it "
      "(-1)");
}

TEST_F(CpusNearGpu, AListOfEveryCpuIsUnknown) {
  kernel_says("0", "0-15");
  EXPECT_FALSE(near().by_kernel);
  fake_.set("CPU_MASK", "ffff");
  const GpuCpus cpus = near();
  EXPECT_FALSE(cpus.by_driver);
  EXPECT_FALSE(cpus.disagree);
  EXPECT_EQ(cpus.reason,
            "the CPUs near GPU 0000:3b:00.0 are unknown: the kernel names every CPU, the driver names every CPU");
}

TEST_F(CpusNearGpu, IgnoresCpusThatAreNotOnline) {
  fake_.set("CPU_MASK", "ff00f0");
  EXPECT_FALSE(near().disagree);
  fake_.set("CPU_MASK", "ff0000");
  EXPECT_FALSE(near().by_driver);
}

TEST_F(CpusNearGpu, NamesTheSideThatGivesNoAnswer) {
  fake_.set("FAIL", "nvmlDeviceGetCpuAffinityWithinScope=3");
  EXPECT_EQ(near().reason,
            "near GPU 0000:3b:00.0 is CPU 4-7 as the kernel says; unknown to the driver, which does not say "
            "(nvmlDeviceGetCpuAffinityWithinScope: Not Supported)");
  kernel_says("0", "(null)");
  const GpuCpus cpus = near();
  EXPECT_FALSE(cpus.by_kernel);
  EXPECT_THAT(cpus.reason, testing::HasSubstr("are unknown: the kernel has no list in"));
}

}  // namespace
}  // namespace stepgate
