#include "diagnose/calls/function_runs.h"

#include <gtest/gtest.h>

#include "diagnose/observed_sample.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

const ObservedCall in_block{"forward", "aten::softmax", {"Block::forward", "block.cpp", 7}};
const ObservedCall linear_in_block{"forward", "aten::linear", {"Block::forward", "block.cpp", 5}};

TEST(CallsPerRun, AreThoseOfOneRunOfTheFunction) {
  SampleCase sample;
  observe(sample, in_block, 24);
  observe(sample, linear_in_block, 12);
  remember(sample, linear_in_block, 12);
  EXPECT_DOUBLE_EQ(calls_per_run(sample.input(), "forward", "aten::softmax").value(), 2);
}

TEST(CallsPerRun, WhatIsCalledMoreOftenThanBeforeTellsNothingOfRuns) {
  SampleCase sample;
  observe(sample, in_block, 24);
  observe(sample, linear_in_block, 24);
  remember(sample, linear_in_block, 1);
  EXPECT_DOUBLE_EQ(calls_per_run(sample.input(), "forward", "aten::softmax").value(), 24);
}

TEST(CallsPerRun, AreOfTheFunctionWithTheMost) {
  SampleCase sample;
  observe(sample, in_block, 12);
  observe(sample, linear_in_block, 12);
  observe(sample, {"forward", "aten::softmax", {"Head::forward", "head.cpp", 3}}, 30);
  observe(sample, {"backward", "aten::linear", {"Head::forward", "head.cpp", 2}}, 30);
  remember(sample, linear_in_block, 12);
  remember(sample, {"backward", "aten::linear", {"Head::forward", "head.cpp", 2}}, 30);
  EXPECT_DOUBLE_EQ(calls_per_run(sample.input(), "forward", "aten::softmax").value(), 30) << "another boundary's runs";
}

TEST(CallsPerRun, AreAbsentWithoutFunctionsOfTheSameKind) {
  SampleCase sample;
  EXPECT_FALSE(calls_per_run(sample.input(), "forward", "aten::softmax")) << "not observed";
  observe(sample, in_block, 24);
  EXPECT_FALSE(calls_per_run(sample.input(), "forward", "aten::softmax")) << "the baseline knows no functions";
  remember(sample, linear_in_block, 12);
  EXPECT_TRUE(calls_per_run(sample.input(), "forward", "aten::softmax"));
  EXPECT_FALSE(calls_per_run(sample.input(), "forward", "aten::other"));
  sample.portable.functions_from = name_of(FramesFrom::symbols);
  EXPECT_FALSE(calls_per_run(sample.input(), "forward", "aten::softmax"));
}

}  // namespace
}  // namespace stepgate
