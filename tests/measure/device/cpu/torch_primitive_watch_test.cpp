#include <gtest/gtest.h>
#include <torch/torch.h>

#include "measure/device/cpu/primitive_watch.h"

namespace stepgate {
namespace {

TEST(PrimitiveWatch, SeesPrimitivesOfNewShapesOnly) {
  auto opened = open_primitive_watch();
  if (std::holds_alternative<std::string>(opened)) GTEST_SKIP() << std::get<std::string>(opened);
  PrimitiveWatch& watch = *std::get<0>(opened);
  const at::Tensor weight = at::ones({8, 3, 3, 3});
  const auto made_by = [&](std::int64_t side) {
    watch.begin_step();
    at::conv2d(at::ones({2, 3, side, side}), weight);
    return watch.end_step();
  };
  EXPECT_GT(made_by(37), 0);
  EXPECT_EQ(made_by(37), 0) << "it is in the cache";
  EXPECT_GT(made_by(38), 0);
}

}  // namespace
}  // namespace stepgate
