// The variants for a GPU on the CPU: their networks with small batches, and bfloat16 in forward.
#include <gtest/gtest.h>

#include <cmath>

#include "language/char_lm.h"
#include "language/char_lm_parallel.h"
#include "perftests/data_folder.h"
#include "perftests/sample_digits.h"
#include "perftests/sample_photos.h"
#include "vision/digits_cnn.h"
#include "vision/photo_decode.h"

namespace stepgate {
namespace {

CaseContext context_of(const std::string& dtype) {
  torch::set_num_threads(1);
  torch::manual_seed(3);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = 3;
  context.dtype = dtype;
  context.synchronous_loader = true;
  return context;
}

double loss_of_a_step(Workload& workload) {
  const auto loss = workload.forward(workload.next_batch());
  EXPECT_EQ(loss.scalar_type(), torch::kFloat32);
  workload.backward(loss);
  for (const torch::Tensor& parameter : workload.parameters()) {
    EXPECT_EQ(parameter.scalar_type(), torch::kFloat32);
    EXPECT_EQ(parameter.grad().scalar_type(), torch::kFloat32);
  }
  workload.optimizer_step();
  return loss.item<double>();
}

double char_lm_loss(const std::string& dtype) {
  const CharLmSize size =
      with_params(gpu_small_char_lm(), {{"batch_size", "2"}, {"max_length", "64"}, {"bucket_width", "16"}});
  CharLm workload(context_of(dtype), size, synthetic_sources());
  return loss_of_a_step(workload);
}

double char_lm_parallel_loss(const std::string& dtype) {
  const CharLmParallelSize size =
      with_params(gpu_small_char_lm_parallel(), {{"batch_size", "2"}, {"max_length", "64"}, {"bucket_width", "16"}});
  CharLmParallel workload(context_of(dtype), size, synthetic_sources(), RankGroup());
  return loss_of_a_step(workload);
}

double digits_loss(const std::string& dtype) {
  DataFolder folder;
  DigitsCnn workload(context_of(dtype), with_params(gpu_small_digits_cnn(), {{"batch_size", "8"}}),
                     painted_data(folder));
  return loss_of_a_step(workload);
}

double photos_loss(const std::string& dtype) {
  PhotoDecode workload(context_of(dtype), with_params(gpu_small_photo_decode(), {{"batch_size", "4"}, {"image", "32"}}),
                       painted_photos());
  return loss_of_a_step(workload);
}

class GpuVariants : public testing::TestWithParam<double (*)(const std::string&)> {};

TEST_P(GpuVariants, TheSmallNetworkTrainsOnACpuToo) { EXPECT_TRUE(std::isfinite(GetParam()("float32"))); }

TEST_P(GpuVariants, BfloatChangesTheLossByItsRoundingOnly) {
  const double exact = GetParam()("float32");
  const double rounded = GetParam()("bfloat16");
  EXPECT_NE(exact, rounded) << "autocast was off";
  EXPECT_NEAR(rounded / exact, 1, 0.02);
}

TEST_P(GpuVariants, ADtypeThatIsNoneIsRefused) { EXPECT_THROW(GetParam()("bf16"), std::invalid_argument); }

INSTANTIATE_TEST_SUITE_P(All, GpuVariants,
                         testing::Values(char_lm_loss, char_lm_parallel_loss, digits_loss, photos_loss));

}  // namespace
}  // namespace stepgate
