#include <gtest/gtest.h>
#include <torch/torch.h>

#include "measure/device/cpu/cpu_backend.h"
#include "measure/profile/machine_peaks.h"

namespace stepgate {
namespace {

/// A planted number of FLOPs, which no square matrix reaches.
TEST(MachinePeaks, TheProductsOfTheStepAreTriedToo) {
  ObservedWork work{.steps = 1};
  OperatorSite product{.boundary = "forward", .name = "aten::mm"};
  product.inputs = {{.sizes = {32, 10}, .strides = {10, 1}, .dtype = "bfloat16"},
                    {.sizes = {10, 16}, .strides = {16, 1}, .dtype = "bfloat16"}};
  product.outputs = {{.sizes = {32, 16}, .strides = {16, 1}, .dtype = "bfloat16"}};
  product.calls = product.leaf_calls = 1;
  product.flops = std::int64_t{1} << 60;
  work.sites = {product};
  const torch::Device device = torch::kCPU;
  const auto backend = make_cpu_backend(nullptr);
  const MachinePeaks peaks = measure_peaks({device, *backend, &work});
  EXPECT_GT(peaks.flops_per_s.at("bfloat16"), 1e17);
  EXPECT_GT(peaks.flops_per_s.at("float32"), 0);
  EXPECT_LT(peaks.flops_per_s.at("float32"), 1e17);
  EXPECT_GT(peaks.floor_ns, 0);
}

}  // namespace
}  // namespace stepgate
