#include "baseline/baseline_key.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stepgate
