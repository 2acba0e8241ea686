// The name of an emulated GPU, of a runner class and of the facts of a process.
#include "core/emulated_gpu_name.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(EmulatedGpuName, OfARunnerClass) {
  EXPECT_EQ(emulated_gpu_of_class("emulated-h100"), "emulated H100");
  EXPECT_EQ(emulated_gpu_of_class("emulated-l4"), "emulated L4");
  EXPECT_EQ(emulated_gpu_of_class("emulated-h100-values"), "emulated H100 with values");
  for (const char* real : {"", "h100", "local", "h200-16c", "not-emulated-h100"})
    EXPECT_EQ(emulated_gpu_of_class(real), "") << real;
}

TEST(EmulatedGpuName, OfTheFactsOfAProcess) {
  EXPECT_EQ(emulated_gpu_of_facts({{"gpu", "emulated H100, model 1"}}), "emulated H100");
  EXPECT_EQ(emulated_gpu_of_facts({{"gpu", "emulated H100, model 1, values"}}), "emulated H100 with values");
  EXPECT_EQ(emulated_gpu_of_facts({{"gpu", "NVIDIA H100 80GB HBM3"}}), "");
  EXPECT_EQ(emulated_gpu_of_facts({{"device", "cpu"}}), "");
}

}  // namespace
}  // namespace stepgate
