#include "emulator/values/cpu_scope.h"

#include <ATen/Parallel.h>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

TEST(CpuScope, OperatorsRunWithoutGradientsAndOnOneThread) {
  const int threads = at::get_num_threads();
  at::set_num_threads(2);
  const at::Tensor variable = differentiable(at::ones({2}));
  {
    const CpuScope scope;
    EXPECT_EQ(at::get_num_threads(), 1);
    EXPECT_FALSE((variable * 2).requires_grad());
  }
  EXPECT_TRUE((variable * 2).requires_grad());
  EXPECT_EQ(at::get_num_threads(), 2);
  at::set_num_threads(threads);
}

}  // namespace
}  // namespace stepgate::emulator
