// What no cause covers: patterns that only a profile asks for, and the near misses of the others.
#include "diagnose/patterns/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/pattern_sample.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<PatternMatch> found(FindingCode code, AddedSite site) {
  ObservedWork work = observed_step();
  add_site(work, std::move(site));
  return find_pattern(code)->find(work);
}

TEST(Patterns, AreAbsentFromAPlainStep) {
  for (const Pattern& pattern : pattern_table()) {
    if (pattern.code == FindingCode::float32_product) continue;
    EXPECT_THAT(pattern.find(observed_step()), IsEmpty()) << name_of(pattern.code);
  }
}

TEST(Patterns, CountALoopOverAllShapesOfItsPlace) {
  ObservedWork work = observed_step();
  work.by_shape = true;
  add_site(
      work,
      {.boundary = "forward", .name = "aten::embedding", .inputs = {tensor({97, 32}), tensor({2, 8}, "", "int64")}});
  const auto add_loop = [&](std::int64_t length, std::int64_t calls) {
    add_site(work, {.boundary = "forward",
                    .name = "aten::cross_entropy_loss",
                    .calls = calls,
                    .inputs = {with_strides(tensor({2, 97}, "aten::select"), {length * 97, 1})},
                    .outputs = {tensor({})},
                    .leaf = false});
  };
  add_loop(16, 8);  // steps of 16 and of 8 tokens in turn: 12 in the mean
  add_loop(8, 4);
  EXPECT_THAT(find_pattern(FindingCode::calls_per_item)->find(work), IsEmpty()) << "two places";
  work.sites.back().place = work.sites[work.sites.size() - 2].place;
  const auto matches = find_pattern(FindingCode::calls_per_item)->find(work);
  ASSERT_THAT(matches, SizeIs(2));
  EXPECT_THAT(matches[0].text, HasSubstr("12 aten::cross_entropy_loss a step = once per token"));
}

TEST(Patterns, OfTensorCores) {
  const auto half = [](Sizes sizes) { return tensor(std::move(sizes), "", "bfloat16"); };
  EXPECT_THAT(found(FindingCode::unaligned_product,
                    {.boundary = "forward", .name = "aten::mm", .inputs = {half({32, 64}), half({64, 97})}}),
              SizeIs(1));
  EXPECT_THAT(found(FindingCode::unaligned_product,
                    {.boundary = "forward", .name = "aten::mm", .inputs = {half({32, 64}), half({64, 96})}}),
              IsEmpty());
  EXPECT_THAT(
      found(FindingCode::float32_product,
            {.boundary = "forward", .name = "aten::addmm", .inputs = {tensor({8}), tensor({4, 4}), tensor({4, 8})}}),
      SizeIs(2));
}

std::vector<PatternMatch> found_copy(FindingCode code, const ObservedTensor& to, const ObservedTensor& from,
                                     std::vector<std::string> callers) {
  ObservedWork work = observed_step();
  add_site(work, {.boundary = "forward", .name = "aten::copy_", .inputs = {to, from}, .outputs = {to}});
  work.sites.back().callers = std::move(callers);
  work.sites.back().copied_bytes = 4096;
  return find_pattern(code)->find(work);
}

TEST(Patterns, SpareCopiesThatAreAskedFor) {
  const auto gaps = with_strides(tensor({32, 32}), {128, 2});
  EXPECT_THAT(found_copy(FindingCode::copy_in_product, tensor({32, 32}), gaps, {"aten::contiguous", "aten::clone"}),
              IsEmpty());
  EXPECT_THAT(
      found_copy(FindingCode::copy_in_product, tensor({32, 32}, "", "bfloat16"), gaps, {"aten::mm", "aten::to"}),
      IsEmpty())
      << "autocast";
  const auto images = with_strides(tensor({4, 8, 5, 5}, "aten::permute"), {200, 1, 40, 8});
  EXPECT_THAT(found_copy(FindingCode::channels_last_lost, tensor({4, 8, 5, 5}), images, {"aten::contiguous"}),
              IsEmpty())
      << "a loader's images, of which the channels come first now";
  const auto pooled = with_strides(tensor({4, 8, 1, 1}, "aten::relu"), {8, 1, 8, 8});
  EXPECT_THAT(found_copy(FindingCode::channels_last_lost, tensor({4, 8, 1, 1}), pooled, {"aten::flatten"}), IsEmpty())
      << "both layouts are one";
  EXPECT_THAT(found_copy(FindingCode::cast_round_trip, tensor({32, 97}), tensor({32, 97}, "aten::to", "bfloat16"),
                         {"aten::to"}),
              IsEmpty())
      << "nothing was cast down";
}

TEST(Patterns, OfTensorCoresWeighByFlops) {
  const auto misaligned = [](std::int64_t flops) {
    ObservedWork work = observed_step();
    add_site(work, {.boundary = "forward",
                    .name = "aten::mm",
                    .inputs = {tensor({8, 8}, "", "bfloat16"), tensor({8, 10}, "", "bfloat16")}});
    work.sites.back().flops = work.sites.back().misaligned_flops = flops;
    add_site(work, {.boundary = "forward", .name = "aten::mm", .inputs = {tensor({64, 64}), tensor({64, 64})}});
    work.sites.back().flops = 1000;
    return find_pattern(FindingCode::unaligned_product)->find(work);
  };
  EXPECT_THAT(misaligned(100), SizeIs(1));
  EXPECT_THAT(misaligned(40), IsEmpty()) << "4 % of all";
}

TEST(Patterns, OfOptimizers) {
  const auto single =
      found(FindingCode::single_tensor_optimizer, {.boundary = "optimizer", .name = "aten::mul_", .calls = 5});
  ASSERT_THAT(single, SizeIs(1));
  EXPECT_THAT(single[0].text, HasSubstr("13 operators update 4 parameter tensors, 3.2 each"));
  const auto zeroed =
      found(FindingCode::gradients_zeroed,
            {.boundary = "optimizer", .name = "aten::zero_", .calls = 4, .inputs = {tensor({8}, "gradient")}});
  ASSERT_THAT(zeroed, SizeIs(1));
  EXPECT_THAT(zeroed[0].text, HasSubstr("fills 4 gradients in place"));
  EXPECT_THAT(found(FindingCode::gradients_zeroed,
                    {.boundary = "optimizer", .name = "aten::zero_", .calls = 4, .inputs = {tensor({8})}}),
              IsEmpty());
}

TEST(Patterns, SpareConversionsThatNothingComputesIn) {
  EXPECT_THAT(
      found(
          FindingCode::float64_work,
          {.boundary = "forward", .name = "aten::_to_copy", .inputs = {tensor({8, 8})}, .outputs = {float64({8, 8})}}),
      IsEmpty());
  ObservedWork scalars = observed_step();
  add_site(scalars,
           {.boundary = "forward", .name = "aten::_to_copy", .inputs = {tensor({})}, .outputs = {float64({})}});
  add_site(scalars, {.boundary = "forward", .name = "aten::mul", .inputs = {float64({})}, .outputs = {float64({})}});
  EXPECT_THAT(find_pattern(FindingCode::float64_work)->find(scalars), IsEmpty());
}

TEST(Patterns, SpareWhatIsNeeded) {
  EXPECT_THAT(
      found(FindingCode::repeat_for_expand,
            {.boundary = "forward", .name = "aten::repeat", .inputs = {tensor({3, 4})}, .outputs = {tensor({6, 4})}}),
      IsEmpty())
      << "a dimension of three cannot be expanded";
  EXPECT_THAT(
      found(FindingCode::copy_after_permute,
            {.boundary = "forward", .name = "aten::clone", .inputs = {tensor({3, 4})}, .outputs = {tensor({3, 4})}}),
      IsEmpty());
  EXPECT_THAT(found(FindingCode::indexing_loop,
                    {.boundary = "forward", .name = "aten::select", .calls = 9, .inputs = {tensor({9, 4})}}),
              IsEmpty());
  EXPECT_THAT(found(FindingCode::indexing_loop,
                    {.boundary = "data_wait", .name = "aten::select", .calls = 90, .inputs = {tensor({9, 4})}}),
              IsEmpty())
      << "a loader has no backward";
  EXPECT_THAT(
      found(FindingCode::eval_mode,
            {.boundary = "forward", .name = "aten::dropout", .inputs = {tensor({9, 4})}, .arguments = {"0.1", "True"}}),
      IsEmpty());
}

/// Repeated to full size, multiplied and summed: one finding, whose mend takes the copies away too.
TEST(Patterns, RepeatedOperandsOfAProductAreOneFinding) {
  ObservedWork work = observed_step();
  const auto full = [](const char* from) { return tensor({32, 64, 32, 32}, from); };
  add_site(work,
           {.boundary = "forward", .name = "aten::repeat", .inputs = {tensor({32, 64, 32, 1})}, .outputs = {full("")}});
  add_site(work,
           {.boundary = "forward", .name = "aten::repeat", .inputs = {tensor({1, 64, 32, 32})}, .outputs = {full("")}});
  add_site(work, {.boundary = "forward",
                  .name = "aten::mul",
                  .inputs = {full("aten::repeat"), full("aten::repeat")},
                  .outputs = {full("")}});
  add_site(work, {.boundary = "forward",
                  .name = "aten::sum",
                  .inputs = {full("aten::mul")},
                  .outputs = {tensor({32, 64, 32})},
                  .arguments = {"[2]", "False", "None"}});
  const auto matches = find_pattern(FindingCode::expanded_product)->find(work);
  ASSERT_THAT(matches, SizeIs(1));
  EXPECT_THAT(matches[0].text, HasSubstr("aten::mul writes 32 x 64 x 32 x 32 float32, 32 times its larger operand"));
  EXPECT_THAT(matches[0].with, SizeIs(3));
  EXPECT_THAT(find_pattern(FindingCode::repeat_for_expand)->find(work), IsEmpty());
}

TEST(Patterns, OfBiasesNeedTheNormalisationToTrain) {
  const auto biases = [](const char* training) {
    ObservedWork work = observed_step();
    add_site(work, {.boundary = "forward",
                    .name = "aten::conv2d",
                    .inputs = {tensor({4, 3, 12, 12}), tensor({8, 3, 3, 3}), tensor({8})},
                    .outputs = {tensor({4, 8, 10, 10})}});
    add_site(work, {.boundary = "forward",
                    .name = "aten::batch_norm",
                    .inputs = {tensor({4, 8, 10, 10}, "aten::conv2d")},
                    .arguments = {training}});
    return find_pattern(FindingCode::conv_bias_before_norm)->find(work);
  };
  EXPECT_THAT(biases("True"), SizeIs(1));
  EXPECT_THAT(biases("False"), IsEmpty());
}

}  // namespace
}  // namespace stepgate
