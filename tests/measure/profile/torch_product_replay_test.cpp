#include <gtest/gtest.h>
#include <torch/torch.h>

#include "core/study/written_product.h"
#include "measure/device/cpu/cpu_backend.h"
#include "measure/profile/product_replay.h"

namespace stepgate {
namespace {

ObservedTensor row_major(std::vector<std::int64_t> sizes, std::string from = "") {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return {std::move(sizes), std::move(strides), "float32", std::move(from)};
}

/// Both operands are repeated to 8 x 4 x 3 x 5, multiplied and summed, with gradients.
ObservedWork written_out() {
  ObservedWork work{.steps = 1};
  const auto add = [&](const char* name, std::vector<ObservedTensor> inputs, ObservedTensor output) {
    OperatorSite site{.boundary = "forward", .name = name, .place = work.sites.size()};
    site.inputs = std::move(inputs);
    site.outputs = {std::move(output)};
    site.calls = 1;
    site.self_ns = site.total_ns = 1000;
    work.sites.push_back(std::move(site));
  };
  const ObservedTensor full = row_major({8, 4, 3, 5}, "aten::repeat");
  add("aten::repeat", {row_major({8, 4, 3, 1})}, full);
  add("aten::repeat", {row_major({1, 4, 3, 5})}, full);
  add("aten::mul", {full, full}, full);
  add("aten::sum", {row_major({8, 4, 3, 5}, "aten::mul")}, row_major({8, 4, 5}));
  work.sites.back().arguments = {"[2]", "False", "None"};
  work.sites.push_back({.boundary = "backward", .name = "aten::mul", .place = 2, .for_forward = true});
  return work;
}

TEST(ProductReplay, BothFormsRunWithTheirGradients) {
  const ObservedWork work = written_out();
  const auto backend = make_cpu_backend(nullptr);
  const ReplayRequest request{
      .work = work, .device = torch::kCPU, .backend = *backend, .step_ns = 10'000, .budget_ns = 1'000'000};
  const auto replays = replay_products(request);
  ASSERT_EQ(replays.size(), 1u);
  EXPECT_EQ(replays[0].site, 2u);
  EXPECT_GT(replays[0].written_ns, 0);
  EXPECT_GT(replays[0].product_ns, 0);
  EXPECT_TRUE(replay_products({.work = work, .device = torch::kCPU, .backend = *backend, .step_ns = 1'000'000}).empty())
      << "4 us of 1 ms";
}

TEST(ProductReplay, TheProductComputesWhatIsWrittenOut) {
  const WrittenProduct product = written_products(written_out()).at(0);
  torch::manual_seed(1);
  const torch::Tensor left = torch::randn({8, 4, 3});
  const torch::Tensor right = torch::randn({4, 3, 5});
  const torch::Tensor written =
      (left.unsqueeze(-1).repeat({1, 1, 1, 5}) * right.unsqueeze(0).repeat({8, 1, 1, 1})).sum(2);
  EXPECT_TRUE(torch::allclose(at::einsum(einsum_of(product), {left, right}), written, 1e-5, 1e-6));
}

}  // namespace
}  // namespace stepgate
