#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string kept_metric_of_attention = "saved_bytes_per_step";
constexpr std::int64_t score_bytes = 2 * 4 * 16 * 16 * 4;

/// softmax(q k^T) v as LibTorch 2.11 shows it: scores of 2 rows, 4 heads, 16 x 16 positions.
void show_written_attention(ObservedWork& work) {
  const ObservedTensor scores = tensor({2, 4, 16, 16}, "aten::div");
  add_site(work, {"forward",
                  "aten::matmul",
                  1,
                  {tensor({2, 4, 16, 8}, "aten::select"), tensor({2, 4, 8, 16}, "aten::transpose")},
                  {tensor({2, 4, 16, 16})},
                  "",
                  {},
                  false,
                  22});
  add_site(work, {"forward", "aten::softmax", 1, {scores}, {tensor({2, 4, 16, 16})}, "", {"-1"}, false, 23});
  add_site(work,
           {"forward", "aten::_softmax", 1, {scores}, {tensor({2, 4, 16, 16})}, "aten::softmax", {"-1"}, true, 23});
  add_site(work, {"forward",
                  "aten::matmul",
                  1,
                  {tensor({2, 4, 16, 16}, "aten::softmax"), tensor({2, 4, 16, 8}, "aten::select")},
                  {tensor({2, 4, 16, 8})},
                  "",
                  {},
                  false,
                  24});
}

/// A step with fused attention before, and the same written out now.
SampleCase with_lost_fusion() {
  SampleCase sample = pattern_sample();
  for (auto* operators : {&sample.portable.operators, &sample.current.counts.operators}) {
    (*operators)["forward"]["aten::scaled_dot_product_attention"] = sample_steps;
    (*operators)["forward"]["aten::_scaled_dot_product_flash_attention_for_cpu"] = sample_steps;
    (*operators)["backward"]["aten::_scaled_dot_product_flash_attention_for_cpu_backward"] = sample_steps;
  }
  inject(sample, "forward",
         {{"aten::scaled_dot_product_attention", -1},
          {"aten::_scaled_dot_product_flash_attention_for_cpu", -1},
          {"aten::matmul", 2},
          {"aten::bmm", 2},
          {"aten::div", 1},
          {"aten::softmax", 1},
          {"aten::_softmax", 1},
          {"aten::expand", 4},
          {"aten::view", 4}});
  inject(sample, "backward",
         {{"aten::_scaled_dot_product_flash_attention_for_cpu_backward", -1},
          {"aten::bmm", 4},
          {"aten::_softmax_backward_data", 1},
          {"aten::div", 1}});
  show_written_attention(*sample.current.counts.observed);
  sample.portable.exact[kept_metric_of_attention] = std::vector<std::int64_t>(sample_steps, 1000);
  sample.portable.counts_by_boundary[kept_metric_of_attention] = {{"forward", 1000 * sample_steps}};
  sample.current.counts.per_step[kept_metric_of_attention] =
      std::vector<std::int64_t>(sample_steps, 1000 + score_bytes);
  sample.current.counts.by_boundary[kept_metric_of_attention] = {{"forward", (1000 + score_bytes) * sample_steps}};
  sample.red("operators_per_step");
  sample.red(kept_metric_of_attention);
  return sample;
}

TEST(WrittenAttention, IsTheOnlyCauseOfALostFusionAndNamesItsLine) {
  const auto causes = only_causes(diagnose(with_lost_fusion().input()));
  ASSERT_EQ(causes.size(), 1U) << causes[1].message;
  EXPECT_EQ(name_of(causes[0].code), "attention-written-out");
  EXPECT_THAT(causes[0].message, HasSubstr("aten::softmax of 2 x 4 x 16 x 16 float32, 8.00 KiB a call"));
  EXPECT_THAT(causes[0].message, HasSubstr("at language/lm.cpp:23 in Lm::forward"));
  EXPECT_THAT(causes[0].advice, HasSubstr("scaled_dot_product_attention"));
  EXPECT_THAT(causes[0].also, testing::Contains(kept_metric_of_attention));
}

/// The counterpart: the model wrote its attention out before, and something else was added.
TEST(WrittenAttention, IsNoCauseWhereItWasBefore) {
  SampleCase sample = pattern_sample();
  show_written_attention(*sample.current.counts.observed);
  inject(sample, "forward", {{"aten::neg", 1}});
  sample.red("operators_per_step");
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST(WrittenAttention, IsSeenBehindDropout) {
  ObservedWork work = observed_step();
  show_written_attention(work);
  work.sites.back().inputs[0].from = "aten::dropout";
  EXPECT_EQ(find_written_attention(work).size(), 1U);
}

TEST(WrittenAttention, IsNoSoftmaxOfClassesOrOfWhatOtherwiseBecomesAFactor) {
  ObservedWork work = observed_step();
  add_site(work, {"forward", "aten::softmax", 1, {tensor({32, 97})}, {tensor({32, 97})}});
  add_site(work, {"forward",
                  "aten::matmul",
                  1,
                  {tensor({32, 97}, "aten::softmax"), tensor({97, 32}, "parameter")},
                  {tensor({32, 32})}});
  EXPECT_THAT(find_written_attention(work), IsEmpty()) << "a mixture over classes";
  work = observed_step();
  show_written_attention(work);
  work.sites.back().inputs[0].from = "aten::mul";
  EXPECT_THAT(find_written_attention(work), IsEmpty()) << "another tensor of the same size";
}

}  // namespace
}  // namespace stepgate
