#include "environment/gpu/choice/resource_ids.h"

#include <gmock/gmock.h>

namespace stepgate {
namespace {

TEST(ResourceIds, AnIdHasOnlyWhatCtestAllows) {
  EXPECT_EQ(resource_id("GPU-8932f937-d72C-4106"), "gpu_8932f937_d72c_4106");
  EXPECT_EQ(resource_id("MIG-GPU-8932/1/0"), "mig_gpu_8932_1_0");
}

}  // namespace
}  // namespace stepgate
