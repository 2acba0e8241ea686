#include "measure/device/work/operators/noted_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* mangled_fill = "_ZN2at6native11fill_kernelIfEEvPfi";  // at::native::fill_kernel<float>

TEST(NotedLaunches, CountsOwnKernelsByFamilyAndOperator) {
  NotedLaunches launches;
  bool called_library = false;
  launches.note(mangled_fill, {.op = "aten::fill_", .called_library = called_library});
  launches.note(mangled_fill, {.op = "aten::fill_", .called_library = called_library});
  launches.note("_ZN2at6native29vectorized_elementwise_kernelIfEEvPfi",
                {.op = "aten::mul", .called_library = called_library});
  EXPECT_THAT(launches.totals().own_kernels,
              ElementsAre(Pair("elementwise of aten::mul", 1), Pair("fill_kernel of aten::fill_", 2)));
  EXPECT_THAT(launches.totals().library_calls, IsEmpty());
  EXPECT_FALSE(called_library);
}

/// A library splits a product, or sets memory before it, as it likes.
TEST(NotedLaunches, AnOperatorWithSeveralKernelsOfALibraryIsOneCall) {
  NotedLaunches launches;
  const OperatorCall operands{
      .inputs = {{.sizes = {8, 64}, .strides = {64, 1}, .dtype = "float32"}}, .outputs = {}, .arguments = {}};
  for (int call = 0; call < 2; ++call) {
    bool called_library = false;
    launches.note("ampere_sgemm_32x32_sliced1x4_tn",
                  {.op = "aten::mm", .operands = &operands, .called_library = called_library});
    launches.note("void splitKreduce_kernel<float>(float*)",
                  {.op = "aten::mm", .operands = &operands, .called_library = called_library});
    launches.note(mangled_fill, {.op = "aten::mm", .operands = &operands, .called_library = called_library});
  }
  EXPECT_THAT(launches.totals().library_calls, ElementsAre(Pair("aten::mm(float32[8, 64])", 2)));
  EXPECT_THAT(launches.totals().own_kernels, ElementsAre(Pair("fill_kernel of aten::mm", 2)));
}

TEST(NotedLaunches, OutsideOfOperatorsEachKernelOfALibraryIsACall) {
  NotedLaunches launches;
  launches.note("ncclDevKernel_AllReduce_Sum_f32");
  launches.note("ncclDevKernel_AllReduce_Sum_f32");
  launches.note(mangled_fill);
  EXPECT_THAT(launches.totals().library_calls, ElementsAre(Pair("code outside of operators(nccl)", 2)));
  EXPECT_THAT(launches.totals().own_kernels, ElementsAre(Pair("fill_kernel of code outside of operators", 1)));
}

TEST(NotedLaunches, AKernelWithoutANameIsInNeither) {
  NotedLaunches launches;
  launches.note("");
  EXPECT_EQ(launches.totals().unnamed_kernels, 1);
  EXPECT_THAT(launches.totals().own_kernels, IsEmpty());
  EXPECT_THAT(launches.totals().library_calls, IsEmpty());
}

}  // namespace
}  // namespace stepgate
