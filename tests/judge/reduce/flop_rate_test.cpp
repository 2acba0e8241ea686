#include "judge/reduce/flop_rate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Fingerprint on(const std::string& gpu, const std::string& dtype) {
  return {{"device", "cuda"}, {"gpu", gpu}, {"dtype", dtype}};
}

CaseValues with_rate(const Fingerprint& facts, double tflop_per_s) {
  CaseValues values;
  values.timed_fingerprint = facts;
  values.timed["tflop_per_s"] = {tflop_per_s, 2 * tflop_per_s};
  return values;
}

TEST(Utilisation, IsTheShareOfTheDensePeakOfThatDtype) {
  CaseValues values = with_rate(on("NVIDIA H200", "bfloat16"), 98.95);
  add_utilisation({}, values);
  EXPECT_THAT(values.timed.at("mfu_ratio"), ElementsAre(testing::DoubleEq(0.1), testing::DoubleEq(0.2)));
}

TEST(Utilisation, Float32RunsInTf32OnlyWhereLibTorchMayUseIt) {
  Fingerprint facts = on("NVIDIA A100-SXM4-80GB", "float32");
  EXPECT_EQ(device_peak(facts, {}, false).tflop_per_s, 19.5);
  facts["tf32_matmul"] = "off";
  EXPECT_EQ(device_peak(facts, {}, false).tflop_per_s, 19.5);
  facts["tf32_matmul"] = "on";
  EXPECT_EQ(device_peak(facts, {}, false).tflop_per_s, 156);
}

/// LibTorch's default: products in float32, convolutions in TF32. vision/digits_cnn/full reached 69.6 TFLOP/s on an
/// H100, whose peak outside Tensor Cores is 67.
TEST(Utilisation, ConvolutionsMayRunInTf32WhereProductsDoNot) {
  Fingerprint facts = on("NVIDIA H100 80GB HBM3", "float32");
  facts["tf32_matmul"] = "off";
  facts["tf32_cudnn"] = "on";
  EXPECT_EQ(device_peak(facts, {}, true).tflop_per_s, 494.5);
  EXPECT_EQ(device_peak(facts, {}, false).tflop_per_s, 67);
  EXPECT_THAT(device_peak(facts, {}, std::nullopt).reason, HasSubstr("TF32"));
  EXPECT_EQ(device_peak(facts, {{"float32", 60}}, std::nullopt).tflop_per_s, 60);
  facts["tf32_cudnn"] = "off";
  EXPECT_EQ(device_peak(facts, {}, true).tflop_per_s, 67);
  EXPECT_EQ(device_peak(on("NVIDIA H100 80GB HBM3", "bfloat16"), {}, std::nullopt).tflop_per_s, 989.5);
}

TEST(Utilisation, WhetherThereAreConvolutionsIsCounted) {
  Fingerprint facts = on("NVIDIA H100 80GB HBM3", "float32");
  facts["tf32_cudnn"] = "on";
  CaseValues values = with_rate(facts, 49.45);
  add_utilisation({}, values);
  EXPECT_FALSE(values.timed.contains("mfu_ratio"));
  values.counts.operators = {{"forward", {{"aten::mm", 4}}}};
  add_utilisation({}, values);
  EXPECT_DOUBLE_EQ(values.timed.at("mfu_ratio")[0], 49.45 / 67);
  values.counts.operators["forward"]["aten::convolution"] = 4;
  add_utilisation({}, values);
  EXPECT_DOUBLE_EQ(values.timed.at("mfu_ratio")[0], 0.1);
}

TEST(Utilisation, EachRankHasAPeakOfItsOwn) {
  Fingerprint facts = on("NVIDIA A30", "bfloat16");
  facts["ranks"] = "2";
  CaseValues values = with_rate(facts, 33);
  add_utilisation({}, values);
  EXPECT_DOUBLE_EQ(values.timed.at("mfu_ratio")[0], 0.1);
}

TEST(Utilisation, ThePolicyGoesBeforeTheTable) {
  CaseValues values = with_rate(on("NVIDIA H200", "bfloat16"), 50);
  add_utilisation({{"bfloat16", 500}}, values);
  EXPECT_DOUBLE_EQ(values.timed.at("mfu_ratio")[0], 0.1);
}

TEST(Utilisation, AnUnknownPeakIsAbsentAndSaysHowToGiveIt) {
  for (const auto& [gpu, what] : {std::pair("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "MIG 1g.10gb is not known"),
                                  std::pair("NVIDIA Some Future GPU", "Some Future GPU is not known"),
                                  std::pair("Tesla T4", "the peak of Tesla T4 for bfloat16 is not known"),
                                  std::pair("", "the peak of a CPU is not known")}) {
    CaseValues values = with_rate(on(gpu, "bfloat16"), 50);
    add_utilisation({}, values);
    EXPECT_FALSE(values.timed.contains("mfu_ratio"));
    EXPECT_THAT(values.absent.at("mfu_ratio"), HasSubstr(what));
    EXPECT_THAT(values.absent.at("mfu_ratio"), HasSubstr("peak_tflop_per_s"));
  }
}

TEST(Utilisation, WithoutDeclaredFlopsTheReasonIsThatOfTheRate) {
  CaseValues values;
  values.absent["tflop_per_s"] = "the workload declares no FLOPs";
  add_utilisation({}, values);
  EXPECT_EQ(values.absent.at("mfu_ratio"), "the workload declares no FLOPs");
}

TEST(Utilisation, OfPairsHasThePeakOfTheHead) {
  CaseValues head = with_rate(on("NVIDIA H200", "bfloat16"), 98.95);
  PairedValues pairs;
  pairs.timed["tflop_per_s"] = {{98.95, 49.475, true}, {197.9, 98.95, false}};
  add_utilisation(head, pairs);
  EXPECT_FALSE(pairs.timed.contains("mfu_ratio")) << "nobody computed that of the head";
  add_utilisation({}, head);
  add_utilisation(head, pairs);
  const std::vector<Pair>& shares = pairs.timed.at("mfu_ratio");
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_DOUBLE_EQ(shares[0].base, 0.1);
  EXPECT_DOUBLE_EQ(shares[0].head, 0.05);
  EXPECT_TRUE(shares[0].head_first);
  EXPECT_DOUBLE_EQ(shares[1].base, 0.2);
}

}  // namespace
}  // namespace stepgate
