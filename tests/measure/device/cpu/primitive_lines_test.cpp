#include "measure/device/cpu/primitive_lines.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "measure/device/cpu/captured_stdout.h"

namespace stepgate {
namespace {

TEST(PrimitiveLines, CountsCacheMissesOnly) {
  const PrimitiveLines lines = primitive_lines(
      "onednn_verbose,v1,info,oneDNN v3.7.1\n"
      "onednn_verbose,v1,primitive,create:cache_miss,cpu,matmul,brg_matmul:avx512_core_bf16,undef,8x64:64x96,0.4\n"
      "onednn_verbose,v1,primitive,create:cache_hit,cpu,matmul,brg_matmul:avx512_core_bf16,undef,8x64:64x96,0.01\n"
      "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx512_core_bf16,undef,8x64:64x96,0.1\n"
      "dnnl_verbose,create:cache_miss,cpu,reorder,jit:uni,undef,8x64,0.2\n"
      "step 3: create:cache_miss is what oneDNN prints\nno newline");
  EXPECT_EQ(lines.creations, 2);
  EXPECT_EQ(lines.others, "step 3: create:cache_miss is what oneDNN prints\nno newline");
  EXPECT_EQ(primitive_lines("").creations, 0);
}

TEST(CapturedStdout, TakesWhatIsPrintedAndGivesStdoutBack) {
  {
    CapturedStdout captured;
    std::printf("first\n");
    EXPECT_EQ(captured.take(), "first\n");
    EXPECT_EQ(captured.take(), "");
    std::printf("second\n");
    EXPECT_EQ(captured.take(), "second\n");
  }
  CapturedStdout again;
  std::printf("third\n");
  EXPECT_EQ(again.take(), "third\n") << "the former one gave stdout back";
}

}  // namespace
}  // namespace stepgate
