#include "baseline/baseline_key.h"

#include <gtest/gtest.h>

#include "core/record/fingerprint_mismatches.h"

namespace stepgate {
namespace {

TEST(BaselineKey, PortableLeavesTheHardwareOut) {
  const Fingerprint facts = {{"isa", "AVX2"},     {"cpu_model", "EPYC"},
                             {"kernel", "6.1"},   {"exact_steps", "3+8+12+21"},
                             {"malloc", "tuned"}, {"timed_steps", "60"}};
  EXPECT_EQ(portable_key(facts), (Fingerprint{{"isa", "AVX2"}, {"exact_steps", "3+8+12+21"}}));
}

TEST(BaselineKey, RunnerKeepsTheHardwareAndLeavesTheKernelOut) {
  const Fingerprint facts = {{"isa", "AVX2"},         {"cpu_model", "EPYC"}, {"kernel", "6.1"},    {"gpu", "H200"},
                             {"affinity_count", "8"}, {"exact_steps", "8"},  {"timed_steps", "60"}};
  EXPECT_EQ(runner_key(facts),
            (Fingerprint{{"cpu_model", "EPYC"}, {"gpu", "H200"}, {"affinity_count", "8"}, {"timed_steps", "60"}}));
}

/// What a process of group exact on a GPU and its host report.
Fingerprint facts_of_gpu() {
  return {{"gpu", "NVIDIA H200"},
          {"gpu_pci_bus_id", "00000000:19:00.0"},
          {"gpu_compute_capability", "9.0"},
          {"gpu_memory_bytes", "150754820096"},
          {"gpu_driver", "580.65.06"},
          {"cuda_runtime", "13.0"},
          {"cudnn", "91300"},
          {"torch", "2.11.0"},
          {"dtype", "float32"},
          {"tf32_matmul", "off"},
          {"tf32_cudnn", "on"},
          {"cudnn_benchmark", "off"},
          {"alloc_conf", "default"},
          {"threads", "1"},
          {"data_digest", "4d81"},
          {"case_params", "width=16"},
          {"workload_version", "1"},
          {"exact_steps", "counts=8"},
          {"seed", "20260101"},
          {"device", "cuda"},
          {"cpu_model", "EPYC"},
          {"affinity_count", "8"},
          {"isa", "AVX2"},
          {"malloc", "tuned"},
          {"kernel", "6.1"},
          {"guard", "process"},
          {"build_type", "release"}};
}

TEST(BaselineKey, CountersOfAGpuDependOnTheGpuAndItsLibrariesNotOnTheCpu) {
  Fingerprint expected = facts_of_gpu();
  for (const char* fact : {"gpu_pci_bus_id", "gpu_driver", "cpu_model", "affinity_count", "isa", "malloc", "kernel",
                           "guard", "build_type"}) {
    expected.erase(fact);
  }
  expected["gpu_driver_major"] = "580";
  EXPECT_EQ(device_exact_key(facts_of_gpu()), expected);
}

TEST(BaselineKey, AnUpdateOfTheDriverWithinItsMajorVersionKeepsTheCountersOfAGpuComparable) {
  Fingerprint updated = facts_of_gpu();
  updated["gpu_driver"] = "580.95.05";
  EXPECT_EQ(device_exact_key(updated), device_exact_key(facts_of_gpu()));
  EXPECT_NE(runner_key(updated), runner_key(facts_of_gpu())) << "times may move with it";
  updated["gpu_driver"] = "590.10";
  EXPECT_NE(device_exact_key(updated), device_exact_key(facts_of_gpu()));
}

TEST(BaselineKey, TheMemoryOfAGpuIsTheSameWithinOnePercent) {
  Fingerprint other_driver = facts_of_gpu();
  other_driver["gpu_memory_bytes"] = "150700000000";
  EXPECT_TRUE(same_key(device_exact_key(other_driver), device_exact_key(facts_of_gpu())))
      << "a driver reserves more or less of it";
  other_driver["gpu_memory_bytes"] = "149000000000";
  EXPECT_FALSE(same_key(device_exact_key(other_driver), device_exact_key(facts_of_gpu())));
}

TEST(BaselineKey, LibrariesThatChooseKernelsArePartOfBothKeysOfAGpu) {
  const Fingerprint versions = {{"cublas", "13.1.0"}, {"cublaslt", "13.1.0"}, {"nccl", "2.27.3"}};
  EXPECT_EQ(device_exact_key(versions), versions);
  EXPECT_EQ(runner_key(versions), versions);
  EXPECT_TRUE(portable_key(versions).empty());
}

TEST(BaselineKey, TheDriverOfAGpuSaysNothingAboutACaseOnTheCpu) {
  EXPECT_TRUE(runner_key({{"device", "cuda"}, {"gpu_driver", "580.65.06"}}).contains("gpu_driver"));
  EXPECT_FALSE(runner_key({{"device", "cpu"}, {"gpu_driver", "580.65.06"}}).contains("gpu_driver"));
}

TEST(BaselineKey, AFactThatAnOlderProgramDoesNotRecordStaysMissing) {
  Fingerprint older = facts_of_gpu();
  older.erase("gpu_memory_bytes");
  older.erase("gpu_driver");
  const Fingerprint key = device_exact_key(older);
  EXPECT_FALSE(key.contains("gpu_memory_bytes"));
  EXPECT_FALSE(key.contains("gpu_driver_major"));
}

TEST(BaselineKey, RunnerKeepsHowAGpuIsSet) {
  const Fingerprint facts = {{"gpu_power_limit_w", "700"},
                             {"alloc_conf", "expandable_segments:True"},
                             {"tf32_matmul", "on"},
                             {"gpu_environment", "NCCL_ALGO=Ring"}};
  EXPECT_EQ(runner_key(facts), facts);
  EXPECT_TRUE(mismatches({{"gpu", "H200"}}, {{"gpu", "H200"}, {"gpu_power_limit_w", "700"}}).empty())
      << "a baseline that was stored before these facts were read stays comparable";
}

TEST(BaselineKey, HoldsADefaultDtypeThatTheProgramSet) {
  const Fingerprint set = {{"default_dtype", "float64"}};
  EXPECT_EQ(portable_key(set), set);
  EXPECT_EQ(runner_key(set), set);
  EXPECT_EQ(device_exact_key(set), set);
}

TEST(BaselineKey, LossesOfAnEmulatedGpuDependOnTheInstructionSetsAndItsCountsDoNot) {
  Fingerprint facts = {{"device", "cuda"},  {"gpu", "emulated H100, model 1"},
                       {"isa", "AVX2"},     {"onednn_isa", "AVX2"},
                       {"torch", "2.11.0"}, {"cpu_model", "EPYC"}};
  EXPECT_EQ(numerics_key(facts), (Fingerprint{{"isa", "AVX2"}, {"onednn_isa", "AVX2"}}));
  EXPECT_FALSE(device_exact_key(facts).contains("isa"));
  facts["gpu"] = "NVIDIA H100 80GB HBM3";
  EXPECT_TRUE(numerics_key(facts).empty()) << "a real GPU computes its own losses";
}

TEST(BaselineKey, SwitchesThatNoKeyHoldsAreKeptBesideIt) {
  const Fingerprint facts = {{"mkldnn_enabled", "off"}, {"tf32_matmul", "on"}, {"isa", "AVX2"}};
  EXPECT_EQ(switches_beside_key(facts, Scope::device), (Fingerprint{{"mkldnn_enabled", "off"}}));
  EXPECT_EQ(switches_beside_key(facts, Scope::runner), (Fingerprint{{"mkldnn_enabled", "off"}}));
  EXPECT_FALSE(portable_key(facts).contains("mkldnn_enabled"));
}

}  // namespace
}  // namespace stepgate
