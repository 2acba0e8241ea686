#include "diagnose/precision/explain_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* unscale = "aten::_amp_foreach_non_finite_check_and_unscale_";

ObservedTensor low(Sizes sizes, std::string from = "", std::string dtype = "bfloat16") {
  return tensor(std::move(sizes), std::move(from), std::move(dtype));
}

/// The four gradients of the sample.
std::vector<ObservedTensor> gradients() { return std::vector<ObservedTensor>(4, tensor({32, 97}, "gradient")); }

std::vector<ObservedTensor> unscaled() {
  std::vector<ObservedTensor> inputs = gradients();
  inputs.push_back(tensor({}));  // found_inf
  inputs.push_back(tensor({}));  // inverse scale
  return inputs;
}

void show_norm(ObservedWork& work) {
  add_site(work, {"optimizer", "aten::_foreach_norm", 1, gradients(), {tensor({})}, "", {}, false, 31});
}
void show_unscale(ObservedWork& work) { add_site(work, {"optimizer", unscale, 1, unscaled(), {}, "", {}, true, 32}); }
void show_update(ObservedWork& work) {
  add_site(work, {"optimizer", "aten::_amp_update_scale_", 1, {tensor({})}, {}, "", {}, true, 33});
}

/// A scaler as it should be called.
void show_scaler(ObservedWork& work) {
  show_unscale(work);
  show_norm(work);
  show_update(work);
}

void show_clip_first(ObservedWork& work) {
  show_norm(work);
  show_unscale(work);
  show_update(work);
}

void show_no_update(ObservedWork& work) {
  show_unscale(work);
  show_norm(work);
}

void show_two_unscales(ObservedWork& work) {
  show_unscale(work);
  show_scaler(work);
}

/// Two optimizers with two gradients each.
void show_two_optimizers(ObservedWork& work) {
  for (int i = 0; i < 2; ++i) {
    add_site(
        work,
        {"optimizer", unscale, 1, {tensor({97}, "gradient"), tensor({32, 97}, "gradient"), tensor({}), tensor({})}});
  }
  show_update(work);
}

void show_softmax_in(ObservedWork& work, const std::string& dtype) {
  add_site(work, {"forward",
                  "aten::_softmax",
                  2,
                  {low({2, 16, 16}, "aten::bmm", dtype)},
                  {low({2, 16, 16}, "", dtype)},
                  "aten::softmax",
                  {},
                  true,
                  23});
}
void show_float16_softmax(ObservedWork& work) { show_softmax_in(work, "float16"); }
void show_bfloat16_softmax(ObservedWork& work) { show_softmax_in(work, "bfloat16"); }

void show_product(ObservedWork& work, const ObservedTensor& left, std::int64_t flops) {
  add_site(work, {"forward", "aten::bmm", 1, {left, left}, {left}, "", {}, true, 23});
  work.sites.back().flops = flops;
}

/// 900 FLOPs in bfloat16 and 100 in float32.
void show_float32_product(ObservedWork& work) {
  show_product(work, low({4, 8, 8}), 900);
  show_product(work, tensor({4, 8, 8}), 100);
}

void show_small_float32_product(ObservedWork& work) {
  show_product(work, low({4, 8, 8}), 960);
  show_product(work, tensor({4, 8, 8}), 40);
}

void show_only_float32_products(ObservedWork& work) { show_product(work, tensor({4, 8, 8}), 100); }

void show_cast(ObservedWork& work, const ObservedTensor& from, const ObservedTensor& to, std::int64_t calls = 1) {
  add_site(work, {"forward", "aten::_to_copy", calls, {from}, {to}, "aten::to", {}, false, 23});
}

ObservedTensor transposed_weight() { return with_strides(tensor({128, 512}, "aten::t"), {1, 128}); }
void show_recast_weights(ObservedWork& work) { show_cast(work, transposed_weight(), low({128, 512}), 4); }
void show_one_cast_weight(ObservedWork& work) { show_cast(work, transposed_weight(), low({128, 512}), 1); }
void show_cast_parameters(ObservedWork& work) { show_cast(work, tensor({512, 128}, "parameter"), low({512, 128}), 4); }

struct PrecisionFault {
  std::string code;
  void (*show)(ObservedWork&);
  /// The same place without the fault.
  void (*counterpart)(ObservedWork&);
  std::string says;
};

void PrintTo(const PrecisionFault& fault, std::ostream* out) { *out << fault.code; }

const PrecisionFault precision_faults[] = {
    {"clip-before-unscale", show_clip_first, show_scaler,
     "optimizer: aten::_foreach_norm reads gradients that are still scaled at language/lm.cpp:31 in Lm::forward"},
    {"scale-not-updated", show_no_update, show_scaler, "no aten::_amp_update_scale_ follows"},
    {"unscaled-twice", show_two_unscales, show_scaler, "8 gradients a step are unscaled, and there are 4"},
    {"unscaled-twice", show_two_unscales, show_two_optimizers, "8 gradients a step are unscaled, and there are 4"},
    {"float16-reduction", show_float16_softmax, show_bfloat16_softmax,
     "forward: aten::_softmax sums over 2 x 16 x 16 float16"},
    {"float32-under-autocast", show_float32_product, show_small_float32_product, "of the FLOPs of products"},
    {"float32-under-autocast", show_float32_product, show_only_float32_products, "aten::bmm of 4 x 8 x 8 float32"},
    {"weights-cast-anew", show_recast_weights, show_one_cast_weight, "4 casts a step of transposed weights"},
    {"weights-cast-anew", show_recast_weights, show_cast_parameters, "such as 128 x 512 float32"}};

class PrecisionFaults : public testing::TestWithParam<PrecisionFault> {};

std::vector<Finding> found_with(void (*show)(ObservedWork&)) {
  SampleCase sample = pattern_sample();
  show(*sample.current.counts.observed);
  return explain_precision(sample.input());
}

TEST_P(PrecisionFaults, AreNamedAtAnyVerdict) {
  const auto findings = found_with(GetParam().show);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), GetParam().code);
  EXPECT_NE(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr(GetParam().says));
  EXPECT_EQ(findings[0].sources.size(), 1U);
}

TEST_P(PrecisionFaults, AreNotSeenInTheCounterpart) { EXPECT_THAT(found_with(GetParam().counterpart), IsEmpty()); }

INSTANTIATE_TEST_SUITE_P(All, PrecisionFaults, testing::ValuesIn(precision_faults));

TEST(Precision, EveryRowOfTheTableIsInjected) {
  for (const PrecisionPattern& row : precision_table()) {
    const bool injected = std::any_of(std::begin(precision_faults), std::end(precision_faults),
                                      [&](const PrecisionFault& fault) { return fault.code == name_of(row.code); });
    EXPECT_TRUE(injected) << name_of(row.code);
  }
}

TEST(Precision, NothingIsSaidOfAStepInFloat32OrWithoutAnObserver) {
  EXPECT_THAT(explain_precision(pattern_sample().input()), IsEmpty());
  EXPECT_THAT(explain_precision(trained_sample().input()), IsEmpty());
}

SampleCase with_skips(std::vector<std::int64_t> now) {
  SampleCase sample = trained_sample();
  sample.portable.exact["amp_skips_per_step"] = {0, 0, 1, 0};
  sample.current.counts.per_step["amp_skips_per_step"] = std::move(now);
  return sample;
}

TEST(SkippedUpdates, MoreOfThemAreACauseThatExplainsTheSpeedUp) {
  SampleCase sample = with_skips({1, 1, 1, 0});
  sample.red("amp_skips_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(name_of(causes[0].code), "amp-skips");
  EXPECT_EQ(causes[0].boundary, "optimizer");
  EXPECT_THAT(causes[0].message, HasSubstr("3 skipped updates in 4 counted steps, was 1"));
  EXPECT_THAT(causes[0].message, HasSubstr("an overflow looks like a speed-up"));
}

TEST(SkippedUpdates, TheSameNumberAsBeforeSaysNothing) {
  EXPECT_THAT(explain_precision(with_skips({0, 0, 1, 0}).input()), IsEmpty());
}

TEST(SkippedUpdates, TimedStepsThatWereLeftOutAreSaidAtAnyVerdict) {
  SampleCase sample = trained_sample();
  sample.current.e2e_steps = 60;
  sample.current.skipped_steps = 10;
  const auto findings = explain_precision(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "skipped-update");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("10 of 60 timed steps"));
}

}  // namespace
}  // namespace stepgate
