#include "emulator/values/operator_facts.h"

#include <gtest/gtest.h>

#include "emulator/values/device_tensor.h"

namespace stepgate::emulator {
namespace {

TEST(OperatorFacts, OperatorsOfADeviceHaveValuesAndThoseMadeOfOthersAreParts) {
  EXPECT_EQ(facts_of(operator_named("aten::add", "Tensor")).treatment, Treatment::whole);
  EXPECT_EQ(facts_of(operator_named("aten::matmul", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::clone", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::view", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::empty", "memory_format")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::copy_", "")).treatment, Treatment::copying);
  EXPECT_EQ(facts_of(operator_named("aten::nonzero", "")).treatment, Treatment::answered);
  EXPECT_EQ(facts_of(operator_named("aten::index", "Tensor")).treatment, Treatment::reading);
}

TEST(OperatorFacts, AnOperatorWithoutValuesSaysWhy) {
  EXPECT_EQ(facts_of(operator_named("aten::add", "Tensor")).refusal, "");
  EXPECT_EQ(facts_of(operator_named("aten::batch_norm_stats", "")).refusal,
            "it has no kernel for CPUs, and its values are not written by hand");
  EXPECT_NE(facts_of(operator_named("aten::unique_dim", "")).refusal.find("sizes of its results"), std::string::npos);
}

TEST(OperatorFacts, ValuesByHandAreForTheOperatorOfThatNameAlone) {
  EXPECT_NE(facts_of(operator_named("aten::_scaled_dot_product_flash_attention", "")).by_hand, nullptr);
  EXPECT_EQ(facts_of(operator_named("aten::_scaled_dot_product_flash_attention", "quantized")).by_hand, nullptr);
  EXPECT_EQ(facts_of(operator_named("aten::cudnn_batch_norm", "out")).by_hand, nullptr);
}

TEST(OperatorFacts, AnOperatorWithAGeneratorDraws) {
  const OperatorFacts& facts = facts_of(operator_named("aten::uniform_", ""));
  EXPECT_TRUE(facts.draws);
  EXPECT_EQ(facts.generator_at, 3U);
  EXPECT_FALSE(facts_of(operator_named("aten::add", "Tensor")).draws);
}

}  // namespace
}  // namespace stepgate::emulator
