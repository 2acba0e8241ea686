// Prints what the observer counts for forward and backward of small computations: "name FLOPs", one a line.
// tests/oracle/compare_flops.py counts the same ones with Python's FlopCounterMode.
#include <torch/torch.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "measure/device/work/work_observer.h"

namespace {

using at::Tensor;

struct Computation {
  const char* name;
  std::vector<std::vector<std::int64_t>> operands;
  std::function<Tensor(const std::vector<Tensor>&)> compute;
};

/// The same rows, with the same sizes, as in compare_flops.py.
const std::vector<Computation>& computations() {
  static const std::vector<Computation> all = {
      {"linear", {{6, 32, 64}, {48, 64}, {48}}, [](const auto& t) { return at::linear(t[0], t[1], t[2]); }},
      {"mm", {{33, 17}, {17, 5}}, [](const auto& t) { return at::mm(t[0], t[1]); }},
      {"addmm", {{5}, {33, 17}, {17, 5}}, [](const auto& t) { return at::addmm(t[0], t[1], t[2]); }},
      {"bmm", {{4, 33, 17}, {4, 17, 5}}, [](const auto& t) { return at::bmm(t[0], t[1]); }},
      {"baddbmm", {{4, 33, 5}, {4, 33, 17}, {4, 17, 5}}, [](const auto& t) { return at::baddbmm(t[0], t[1], t[2]); }},
      {"matmul", {{2, 3, 8, 9}, {2, 3, 9, 7}}, [](const auto& t) { return at::matmul(t[0], t[1]); }},
      {"einsum",
       {{5, 8, 9}, {5, 7, 9}},
       [](const auto& t) {
         return at::einsum("bij,bkj->bik", {t[0], t[1]});
       }},
      {"conv1d", {{4, 3, 20}, {8, 3, 5}}, [](const auto& t) { return at::conv1d(t[0], t[1], {}, 2, 1); }},
      {"conv2d", {{4, 3, 12, 12}, {8, 3, 3, 3}, {8}}, [](const auto& t) { return at::conv2d(t[0], t[1], t[2], 1, 1); }},
      {"conv3d", {{2, 3, 6, 6, 6}, {4, 3, 3, 3, 3}}, [](const auto& t) { return at::conv3d(t[0], t[1]); }},
      {"conv_transpose2d",
       {{4, 8, 5, 5}, {8, 3, 3, 3}},
       [](const auto& t) { return at::conv_transpose2d(t[0], t[1], {}, 2); }},
      {"attention",
       {{2, 4, 16, 8}, {2, 4, 16, 8}, {2, 4, 16, 8}},
       [](const auto& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2]); }},
  };
  return all;
}

std::int64_t flops_of(const Computation& computation) {
  std::vector<Tensor> operands;
  for (const auto& sizes : computation.operands) operands.push_back(torch::randn(sizes).requires_grad_());
  stepgate::WorkObserver observer({});
  observer.start();
  observer.enter("forward");
  computation.compute(operands).sum().backward();
  observer.leave();
  observer.stop();
  return observer.totals().flops;
}

}  // namespace

int main() {
  torch::manual_seed(1);
  for (const Computation& computation : computations()) {
    std::printf("%s %lld\n", computation.name, static_cast<long long>(flops_of(computation)));
  }
}
