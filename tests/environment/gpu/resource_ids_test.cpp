#include "environment/gpu/resource_ids.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace stepgate {
namespace {

TEST(ResourceIds, AnIdHasOnlyWhatCtestAllows) {
  EXPECT_EQ(resource_id("GPU-8932f937-d72C-4106"), "gpu_8932f937_d72c_4106");
  EXPECT_EQ(resource_id("MIG-GPU-8932/1/0"), "mig_gpu_8932_1_0");
}

TEST(ResourceIds, TheSpecNamesEachGpuOnce) {
  Gpu first;
  first.uuid = "GPU-aa-0";
  Gpu second;
  second.uuid = "GPU-bb-1";
  const auto spec = nlohmann::json::parse(resource_spec({first, second}));
  EXPECT_EQ(spec["version"]["major"], 1);
  const auto& gpus = spec["local"][0]["gpus"];
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[1]["id"], "gpu_bb_1");
  EXPECT_EQ(gpus[1]["slots"], 1);
}

}  // namespace
}  // namespace stepgate
