#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A fault: what the observer sees of it, and the calls per step that it adds. Both were counted in runs of
/// LibTorch 2.11.
struct InjectedPattern {
  std::string code;
  void (*show)(ObservedWork&);
  std::map<std::string, CallsPerStep> calls;
  std::string says;
};

void PrintTo(const InjectedPattern& injected, std::ostream* out) { *out << injected.code; }

void show_anomaly_mode(ObservedWork& work) {
  for (const char* name : {"aten::isnan", "aten::_is_any_true", "aten::_local_scalar_dense"})
    add_site(work, {"backward", name, 17, {tensor({32, 97})}, {tensor({}, "", "bool")}, "", {}, true, 23});
}

void show_rebuilt_optimizer(ObservedWork& work) {
  add_site(
      work,
      {"optimizer", "aten::zeros_like", 8, {tensor({32, 97}, "parameter")}, {tensor({32, 97})}, "", {}, false, 23});
}

void show_eval_mode(ObservedWork& work) {
  add_site(work, {"forward",
                  "aten::batch_norm",
                  3,
                  {tensor({4, 8, 10, 10}, "aten::conv2d")},
                  {tensor({4, 8, 10, 10})},
                  "",
                  {"False", "0.1", "1e-05", "True"},
                  false,
                  23});
}

void show_loop(ObservedWork& work) {
  add_site(work, {"forward", "aten::select", 32, {tensor({2, 16, 97})}, {tensor({2, 97})}, "", {"1", "0"}, true, 22});
  add_site(work, {"forward",
                  "aten::cross_entropy_loss",
                  16,
                  {tensor({2, 97}, "aten::select")},
                  {tensor({})},
                  "",
                  {"2"},
                  false,
                  23});
  add_site(work,
           {"backward", "aten::select_backward", 16, {tensor({2, 97})}, {tensor({2, 16, 97})}, "", {}, false, 23});
  work.sites.back().place = work.sites[work.sites.size() - 2].place;
}

void show_indexing_loop(ObservedWork& work) {
  add_site(work, {"forward", "aten::select", 20, {tensor({20, 97})}, {tensor({97})}, "", {"0", "0"}, true, 23});
}

void show_expanded_product(ObservedWork& work) {
  const auto row = with_strides(tensor({2, 16, 16, 32}, "aten::expand"), {512, 32, 0, 1});
  const auto column = with_strides(tensor({2, 16, 16, 32}, "aten::expand"), {512, 0, 32, 1});
  add_site(work, {"forward", "aten::mul", 1, {row, column}, {tensor({2, 16, 16, 32})}, "", {}, true, 23});
  add_site(work, {"forward",
                  "aten::sum",
                  1,
                  {tensor({2, 16, 16, 32}, "aten::mul")},
                  {tensor({2, 16, 16})},
                  "",
                  {"[-1]"},
                  true,
                  24});
}

void show_repeat(ObservedWork& work) {
  add_site(work,
           {"forward", "aten::repeat", 1, {tensor({1, 16, 1})}, {tensor({2, 16, 97})}, "", {"[2, 1, 97]"}, false, 23});
}

void show_permuted_copy(ObservedWork& work) {
  const auto turned = with_strides(tensor({2, 97, 16}, "aten::transpose"), {1552, 1, 97});
  add_site(work, {"forward", "aten::clone", 1, {turned}, {tensor({2, 97, 16})}, "aten::contiguous", {"0"}, false, 23});
}

void show_copy(ObservedWork& work, const ObservedTensor& to, const ObservedTensor& from,
               std::vector<std::string> callers) {
  add_site(work, {"forward", "aten::copy_", 1, {to, from}, {to}, callers.back(), {}, true, 23});
  work.sites.back().callers = std::move(callers);
  work.sites.back().copied_bytes = 4096;
}

void show_lost_channels_last(ObservedWork& work) {
  const auto from = with_strides(tensor({4, 8, 5, 5}, "aten::relu"), {200, 1, 40, 8});
  show_copy(work, tensor({4, 8, 5, 5}), from, {"aten::flatten", "aten::reshape", "aten::clone"});
}

void show_copy_in_product(ObservedWork& work) {
  const auto from = with_strides(tensor({32, 32}, "aten::slice"), {128, 2});
  show_copy(work, tensor({32, 32}), from, {"aten::mm", "aten::clone"});
}

void show_cast_round_trip(ObservedWork& work) {
  const auto half = [](const char* from) { return tensor({32, 97}, from, "bfloat16"); };
  show_copy(work, half(""), tensor({32, 97}, "aten::mm"), {"aten::to", "aten::_to_copy"});
  show_copy(work, tensor({32, 97}), half("aten::to"), {"aten::to", "aten::_to_copy"});
}

void show_convolution_bias(ObservedWork& work) {
  add_site(work, {"forward",
                  "aten::conv2d",
                  1,
                  {tensor({4, 3, 12, 12}), tensor({8, 3, 3, 3}, "parameter"), tensor({8}, "parameter")},
                  {tensor({4, 8, 10, 10})},
                  "",
                  {},
                  false,
                  23});
  add_site(work, {"forward",
                  "aten::batch_norm",
                  1,
                  {tensor({4, 8, 10, 10}, "aten::conv2d")},
                  {tensor({4, 8, 10, 10})},
                  "",
                  {"True", "0.1", "1e-05", "True"},
                  false});
}

void show_host_made_tensor(ObservedWork& work) {
  add_site(
      work,
      {"forward", "aten::_to_copy", 1, {tensor({2, 16}, "aten::zeros")}, {tensor({2, 16})}, "aten::to", {}, false, 23});
}

const InjectedPattern injected_patterns[] = {
    {"float64-work",
     show_float64,
     {{"forward", {{"aten::to", 1}, {"aten::_to_copy", 1}, {"aten::copy_", 1}, {"aten::empty_strided", 1}}},
      {"backward", {{"aten::to", 1}, {"aten::_to_copy", 1}, {"aten::copy_", 1}, {"aten::empty_strided", 1}}}},
     "forward: 32 x 97 float32 becomes float64 by aten::to, and aten::_log_softmax computes in it"},
    {"anomaly-mode",
     show_anomaly_mode,
     {{"backward",
       {{"aten::_is_any_true", 17},
        {"aten::_local_scalar_dense", 17},
        {"aten::any", 17},
        {"aten::as_strided", 17},
        {"aten::fill_", 17},
        {"aten::isnan", 17},
        {"aten::item", 17},
        {"aten::ne", 17}}}},
     "backward: each of 17 gradients is searched for NaN"},
    {"optimizer-rebuilt",
     show_rebuilt_optimizer,
     {{"optimizer",
       {{"aten::zeros_like", 8}, {"aten::zero_", 8}, {"aten::empty_like", 8}, {"aten::empty_strided", 8}}}},
     "optimizer: aten::zeros_like makes the optimizer's state anew for 4 parameter tensors"},
    {"calls-per-item",
     show_loop,
     {{"forward", {{"aten::cross_entropy_loss", 16}, {"aten::select", 32}, {"aten::add", 16}, {"aten::clone", 32}}},
      {"backward", {{"aten::select_backward", 16}, {"aten::zeros", 16}, {"aten::add_", 15}}}},
     "forward: 16 aten::cross_entropy_loss a step = once per token; 12.1 KiB = size of the logits each"},
    {"indexing-loop",
     show_indexing_loop,
     {{"forward", {{"aten::select", 20}, {"aten::as_strided", 20}, {"aten::mul", 20}}}},
     "forward: aten::select takes 20 x 97 float32 apart in 20 calls"},
    {"expanded-product",
     show_expanded_product,
     {{"forward", {{"aten::mul", 1}, {"aten::sum", 1}, {"aten::expand", 2}, {"aten::unsqueeze", 2}}},
      {"backward", {{"aten::mul", 2}, {"aten::sum", 2}, {"aten::expand", 1}}}},
     "forward: aten::mul writes 2 x 16 x 16 x 32 float32, 16 times its larger operand, and aten::sum adds it up again"},
    {"repeat-for-expand",
     show_repeat,
     {{"forward",
       {{"aten::repeat", 1}, {"aten::copy_", 1}, {"aten::expand_as", 1}, {"aten::unfold", 3}, {"aten::empty", 1}}}},
     "forward: aten::repeat copies 1 x 16 x 1 float32 to 2 x 16 x 97 float32"},
    {"copy-after-permute",
     show_permuted_copy,
     {{"forward",
       {{"aten::contiguous", 1},
        {"aten::clone", 1},
        {"aten::copy_", 1},
        {"aten::empty_like", 1},
        {"aten::transpose", 1}}}},
     "forward: aten::contiguous copies 2 x 97 x 16 float32 because of aten::transpose"},
    {"channels-last-lost",
     show_lost_channels_last,
     {{"forward", {{"aten::clone", 1}, {"aten::copy_", 1}, {"aten::empty_like", 1}, {"aten::_unsafe_view", 1}}}},
     "forward: aten::flatten copies 4 x 8 x 5 x 5 float32 from channels_last to row-major order"},
    {"copy-in-product",
     show_copy_in_product,
     {{"forward", {{"aten::clone", 1}, {"aten::copy_", 1}, {"aten::empty_like", 1}, {"aten::slice", 1}}}},
     "forward: aten::mm copies an operand, 32 x 32 float32 (gaps)"},
    {"cast-round-trip",
     show_cast_round_trip,
     {{"forward", {{"aten::to", 2}, {"aten::_to_copy", 2}, {"aten::copy_", 2}, {"aten::empty_strided", 2}}},
      {"backward", {{"aten::to", 2}, {"aten::_to_copy", 2}, {"aten::copy_", 2}, {"aten::empty_strided", 2}}}},
     "forward: aten::to casts 32 x 97 bfloat16 back to float32, from which it was cast in the same step"},
    {"conv-bias-before-norm",
     show_convolution_bias,
     {{"backward", {{"aten::detach", 1}, {"aten::empty", 1}}},
      {"optimizer", {{"aten::add_", 1}, {"aten::detach_", 1}}}},
     "forward: aten::conv2d adds a bias of 8 float32 to 4 x 8 x 10 x 10 float32"},
    {"host-made-tensor",
     show_host_made_tensor,
     {{"forward", {{"aten::zeros", 1}, {"aten::to", 1}, {"aten::_to_copy", 1}, {"aten::copy_", 1}}}},
     "forward: 2 x 16 float32 from aten::zeros is copied, to another device or for nothing"},
    {"eval-mode",
     show_eval_mode,
     {{"forward", {{"aten::add_", -3}}}},
     "forward: aten::batch_norm runs with training=False"}};

class PatternCauses : public testing::TestWithParam<InjectedPattern> {
 protected:
  static SampleCase unchanged() {
    SampleCase sample = pattern_sample();
    sample.portable.numerics.reset();  // equal losses would contradict some of the faults
    sample.portable.operators["forward"]["aten::add_"] = 3 * sample_steps;
    sample.current.counts.operators["forward"]["aten::add_"] = 3 * sample_steps;
    sample.red("operators_per_step");
    return sample;
  }
  static void count(SampleCase& sample, const InjectedPattern& injected) {
    for (const auto& [boundary, calls] : injected.calls) inject(sample, boundary, calls);
  }
};

TEST_P(PatternCauses, AreTheOnlyCauseOfTheirFaultAndNameItsLine) {
  SampleCase sample = unchanged();
  GetParam().show(*sample.current.counts.observed);
  count(sample, GetParam());
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U) << causes[1].message;
  EXPECT_EQ(name_of(causes[0].code), GetParam().code);
  EXPECT_THAT(causes[0].message, HasSubstr(GetParam().says));
  ASSERT_FALSE(causes[0].sources.empty());
  EXPECT_EQ(causes[0].sources[0], (SourceFrame{"Lm::forward", "language/lm.cpp", 23}));
  EXPECT_THAT(causes[0].message, HasSubstr("at language/lm.cpp:23 in Lm::forward"));
}

TEST_P(PatternCauses, AreNotClaimedWhereTheyWereBefore) {
  SampleCase sample = unchanged();
  GetParam().show(*sample.current.counts.observed);
  inject(sample, "logging", {{"aten::neg", 1}});
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST_P(PatternCauses, AreNotClaimedFromCountsAlone) {
  SampleCase sample = unchanged();
  count(sample, GetParam());
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST_P(PatternCauses, AreNotClaimedInAGreenCase) {
  SampleCase sample = unchanged();
  GetParam().show(*sample.current.counts.observed);
  count(sample, GetParam());
  sample.verdict.status = Status::pass;
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

/// The base was compiled, or replays a graph.
TEST_P(PatternCauses, AreNotClaimedBesideAStepInOneCall) {
  SampleCase sample = unchanged();
  GetParam().show(*sample.current.counts.observed);
  count(sample, GetParam());
  sample.portable.operators = {{"whole_step", {{"aten::resolve_conj", 41 * sample_steps}}}};
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

std::string without_dashes(const testing::TestParamInfo<InjectedPattern>& injected) {
  std::string name = injected.param.code;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Injected, PatternCauses, testing::ValuesIn(injected_patterns), without_dashes);

/// The same update by one fused call before, tensor by tensor now.
SampleCase with_unfused_optimizer() {
  SampleCase sample = pattern_sample();
  sample.portable.operators["optimizer"] = {{"aten::_fused_sgd_", sample_steps}, {"aten::detach_", 4 * sample_steps}};
  sample.current.counts.operators["optimizer"] = sample.portable.operators["optimizer"];
  inject(sample, "optimizer", {{"aten::_fused_sgd_", -1}, {"aten::mul_", 4}, {"aten::add_", 8}});
  add_site(*sample.current.counts.observed, {.boundary = "optimizer", .name = "aten::mul_", .calls = 12, .line = 23});
  sample.red("operators_per_step");
  return sample;
}

TEST(UnfusedOptimizer, IsOneCause) {
  const auto causes = only_causes(diagnose(with_unfused_optimizer().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "single-tensor-optimizer");
  EXPECT_THAT(causes[0].message, HasSubstr("optimizer: 20 operators update 4 parameter tensors, 5.0 each"));
}

TEST(UnfusedOptimizer, IsNoCauseWhereItWasBefore) {
  SampleCase sample = with_unfused_optimizer();
  sample.portable.operators["optimizer"] = {{"aten::mul_", 16 * sample_steps}};
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST(RebuiltOptimizer, TakesTheLossesThatItChanges) {
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  sample.red("loss");
  for (NumericTrace& trace : sample.current.numerics) trace.loss = {4.0, 3.5, 3.3, 3.1};
  inject(sample, "optimizer", {{"aten::zeros_like", 8}});
  show_rebuilt_optimizer(*sample.current.counts.observed);
  EXPECT_THAT(only_causes(diagnose(sample.input())), testing::SizeIs(1));
  for (NumericTrace& trace : sample.current.numerics)
    trace.loss[0] = 4.4;  // before the first update: not by the optimizer
  EXPECT_THAT(only_causes(diagnose(sample.input())), testing::SizeIs(2));
}

}  // namespace
}  // namespace stepgate
