// Estimates against built models and against peaks that the memory pass measured on a CPU.
#include "support/training_memory.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "language/char_lm_memory.h"
#include "language/char_lm_parallel_size.h"
#include "language/transformer.h"
#include "tabular/field_transformer_memory.h"
#include "vision/conv_net_memory.h"
#include "vision/digits_cnn_size.h"
#include "vision/photo_decode_size.h"

namespace stepgate {
namespace {

constexpr double gib = 1 << 30;

std::int64_t numbers_in(const std::vector<torch::Tensor>& tensors) {
  std::int64_t sum = 0;
  for (const torch::Tensor& tensor : tensors) sum += tensor.numel();
  return sum;
}

TEST(TrainingMemory, ParametersOfATransformerAreThoseOfTheModel) {
  for (const CharLmSize& size : {tiny_char_lm(), gpu_small_char_lm()}) {
    EXPECT_EQ(parameters_of(size), numbers_in(Transformer(size)->parameters()));
  }
  EXPECT_EQ(parameters_of(full_char_lm()), 85'524'480) << "85 million";
}

TEST(TrainingMemory, ParametersOfAConvolutionNetworkAreThoseOfTheModel) {
  for (const ConvNetSize& size : {tiny_digits_cnn().net, gpu_small_digits_cnn().net, tiny_photo_decode().net,
                                  gpu_small_photo_decode().net, full_photo_decode().net}) {
    EXPECT_EQ(parameters_of(size), numbers_in(ConvNet(size)->parameters()));
  }
}

void expect_near(const TrainingMemory& memory, double measured_bytes) {
  EXPECT_NEAR(static_cast<double>(tensor_bytes(memory)) / measured_bytes, 1, 0.07);
}

// peak_allocated_bytes of the committed baselines of the tiny cases.
TEST(TrainingMemory, ItIsNearTheMeasuredPeakOfTheTinyCases) {
  expect_near(memory_of(tiny_char_lm(), tiny_char_lm().batch.batch_size, false), 6'437'388);
  TrainingMemory parallel = memory_of(tiny_char_lm_parallel().model, 4, false);
  parallel.state_bytes_per_parameter += 4;  // gradient buckets
  expect_near(parallel, 4'323'340);
  expect_near(memory_of(tiny_digits_cnn().net, {.rows = 64, .side = 8}, false), 4'127'284);
  expect_near(memory_of(tiny_photo_decode().net, {.rows = 4, .side = 24}, false), 1'204'892);
  FieldTransformerSize fields = tiny_field_transformer();
  expect_near(memory_of(fields, 32), 6'832'044);
  fields.model = FieldModel::naive;
  expect_near(memory_of(fields, 32), 88'068'908);
}

TEST(TrainingMemory, AutocastNeedsLess) {
  const auto tensors_of = [](bool autocast) {
    return tensor_bytes(memory_of(full_photo_decode().net, {.rows = 128, .side = 224}, autocast));
  };
  EXPECT_GT(static_cast<double>(tensors_of(false)), 1.8 * static_cast<double>(tensors_of(true)));
  EXPECT_GT(tensor_bytes(memory_of(full_char_lm(), 32, false)), tensor_bytes(memory_of(full_char_lm(), 32, true)));
}

double gib_of(const std::string& name) {
  for (const Case& each : guarded_cases()) {
    if (each.name == name) return static_cast<double>(each.device_bytes(each.params)) / gib;
  }
  ADD_FAILURE() << "no case " << name;
  return 0;
}

/// The table of docs/gpu_cases.md.
TEST(GuardedCases, EveryGpuCaseEstimatesItsMemory) {
  EXPECT_NEAR(gib_of("language/char_lm/full"), 12.6, 0.06);
  EXPECT_NEAR(gib_of("language/char_lm/full_bf16"), 8.0, 0.06);
  EXPECT_NEAR(gib_of("language/char_lm_graphed/full"), 18.0, 0.06);
  EXPECT_NEAR(gib_of("language/char_lm/gpu_small"), 1.6, 0.06);
  EXPECT_NEAR(gib_of("language/char_lm_parallel/full"), 7.6, 0.06);
  EXPECT_NEAR(gib_of("tabular/field_transformer/full"), 1.6, 0.06);
  EXPECT_NEAR(gib_of("vision/digits_cnn/full"), 1.8, 0.06);
  EXPECT_NEAR(gib_of("vision/photo_decode/full"), 49.8, 0.06);
  EXPECT_NEAR(gib_of("vision/photo_decode/full_bf16"), 25.4, 0.06);
  EXPECT_NEAR(gib_of("vision/photo_decode/gpu_small"), 2.8, 0.06);
}

TEST(GuardedCases, EverySmallGpuCaseFitsEightGib) {
  int small = 0;
  for (const Case& each : guarded_cases()) {
    if (each.device == "cpu") continue;
    ASSERT_TRUE(each.device_bytes) << each.name;
    if (!each.name.ends_with("/gpu_small")) continue;
    ++small;
    EXPECT_LT(static_cast<double>(each.device_bytes(each.params)), 6 * gib) << each.name;
  }
  EXPECT_EQ(small, 4) << "one of each workload";
}

TEST(GuardedCases, TheEstimateFollowsTheParametersOfTheRun) {
  for (const Case& each : guarded_cases()) {
    if (each.device == "cpu") continue;
    auto doubled = each.params;
    doubled["batch_size"] = std::to_string(2 * std::stoll(doubled.at("batch_size")));
    EXPECT_GT(each.device_bytes(doubled), each.device_bytes(each.params)) << each.name;
  }
}

/// "language/char_lm_bf16/tiny"
bool is_low_precision_workload(const Case& test_case) { return test_case.name.find("_bf16/") != std::string::npos; }

/// On a CPU they are for counts and losses only, so they have few steps and no times.
TEST(GuardedCases, LowPrecisionCasesOfACpuDoTheWorkOfTheirFloat32Cases) {
  int checked = 0;
  for (const Case& each : guarded_cases()) {
    if (!is_low_precision_workload(each)) continue;
    ++checked;
    EXPECT_EQ(each.dtype, "bfloat16");
    EXPECT_EQ(each.device, "cpu");
    std::string name = each.name;
    name.erase(name.find("_bf16/"), std::string("_bf16").size());
    auto params = each.params;
    EXPECT_EQ(params.extract("scaler").empty(), name != "language/char_lm/tiny") << each.name;
    const auto cases = guarded_cases();
    const auto plain = std::ranges::find(cases, name, &Case::name);
    ASSERT_NE(plain, cases.end()) << name;
    EXPECT_EQ(params, plain->params);
  }
  EXPECT_EQ(checked, 2);
}

TEST(GuardedCases, BfloatCasesDifferFromTheirFloat32CasesByDtypeOnly) {
  int checked = 0;
  for (const Case& each : guarded_cases()) {
    if (is_low_precision_workload(each)) continue;
    if (!each.name.ends_with("_bf16")) {
      EXPECT_EQ(each.dtype, "float32") << each.name;
      continue;
    }
    ++checked;
    EXPECT_EQ(each.dtype, "bfloat16");
    for (const Case& other : guarded_cases()) {
      if (other.name + "_bf16" != each.name) continue;
      EXPECT_EQ(other.params, each.params) << each.name;
      EXPECT_EQ(other.steps, each.steps) << each.name;
    }
  }
  EXPECT_EQ(checked, 3);
}

}  // namespace
}  // namespace stepgate
