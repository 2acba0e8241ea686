#include "diagnose/profile/advice_patterns.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

const SourceFrame net_forward{"Net::forward", "net.cpp", 12};

/// The advice whose text begins so; one of worth -1 where there is none.
Advice pattern_named(const ProfileInput& input, std::string_view text) {
  for (Advice& each : profile_case(input).advice) {
    if (each.text.starts_with(text)) return std::move(each);
  }
  Advice none;
  none.worth = -1;
  return none;
}

void observe_site(SampleProfileInput& input, OperatorSite site) {
  site.place = 0;
  input.run().observed->sites.push_back(std::move(site));
}

/// Forward casts to float64, and 3 ms of forward and 1 ms of backward compute in it.
SampleProfileInput with_float64_block() {
  SampleProfileInput input;
  OperatorSite cast = SampleProfileInput::site("forward", "aten::_to_copy", 0);
  cast.inputs = cast.outputs;
  cast.outputs[0].dtype = "float64";
  observe_site(input, cast);
  for (const auto& [boundary, self_ns] : {std::pair{"forward", 24'000'000}, std::pair{"backward", 8'000'000}}) {
    OperatorSite product = SampleProfileInput::site(boundary, "aten::addmm", self_ns);
    product.inputs = product.outputs = cast.outputs;
    observe_site(input, product);
  }
  return input;
}

TEST(PatternAdvice, OfAFloat64BlockIsWorthHalfOfWhatComputesInIt) {
  const Advice advice = pattern_named(with_float64_block(), "work in float64");
  EXPECT_NEAR(advice.worth, 0.2, 1e-9);
  EXPECT_EQ(advice.proof, Proof::likely);
  EXPECT_EQ(
      advice.evidence,
      "in forward: 64 x 64 float32 becomes float64 by aten::_to_copy, and aten::addmm computes in it at net.cpp:12");
}

/// 100 calls a step that take a tensor apart.
OperatorSite selects_in(const std::string& boundary) {
  OperatorSite select = SampleProfileInput::site(boundary, "aten::select", 16'000'000);
  select.inputs = select.outputs;
  select.calls = select.leaf_calls = 4 * 100;
  return select;
}

TEST(PatternAdvice, OnASelectLoopIsNotGivenOfALoaderThatHasNoBackward) {
  SampleProfileInput model;
  observe_site(model, selects_in("forward"));
  EXPECT_NEAR(pattern_named(model, "a loop over select()").worth, 0.2, 1e-9);
  for (const char* boundary : {"data_wait", "h2d", "logging", "optimizer"}) {
    SampleProfileInput input;
    observe_site(input, selects_in(boundary));
    EXPECT_EQ(pattern_named(input, "a loop over select()").worth, -1) << boundary;
  }
}

TEST(PatternAdvice, InTheLoaderWinsAtMostWhatTheStepWaits) {
  SampleProfileInput input;
  OperatorSite repeat = SampleProfileInput::site("data_wait", "aten::repeat", 48'000'000);
  repeat.inputs = {{.sizes = {1, 64}, .strides = {64, 1}, .dtype = "float32"}};
  observe_site(input, repeat);
  const Advice advice = pattern_named(input, "repeat() where expand() would do");
  EXPECT_NEAR(advice.worth, 0.1, 1e-9) << "10 % of the step waits for data";
  EXPECT_TRUE(advice.evidence.starts_with("in the loader: ")) << advice.evidence;
  input.run().absent["delayed-loader"] = std::string(too_fast_to_delay);  // refutes the input
  EXPECT_EQ(pattern_named(input, "repeat() where expand() would do").worth, -1);
}

/// 600 calls a step of 1.5 us each where the cheapest takes 1 us: 9 % of the step.
OperatorSite small_adds() {
  OperatorSite adds = SampleProfileInput::site("forward", "aten::add", 7'200'000);
  adds.calls = adds.leaf_calls = 4 * 600;
  return adds;
}

TEST(PatternAdvice, NamesTheLineThatCallsManySmallOperators) {
  SampleProfileInput input;
  observe_site(input, small_adds());
  const Advice advice = pattern_named(input, "many small calls from one line");
  EXPECT_NEAR(advice.worth, 0.09, 1e-9);
  EXPECT_EQ(advice.proof, Proof::likely);
  EXPECT_EQ(advice.at, net_forward);
  EXPECT_EQ(advice.evidence, "600 aten::add a step take 9.0 %, mostly the price of a call");
}

TEST(PatternAdvice, OnSmallCallsNeedsALoopOfThem) {
  SampleProfileInput input;
  OperatorSite adds = small_adds();
  adds.calls = adds.leaf_calls = 4 * 49;
  observe_site(input, adds);
  EXPECT_EQ(pattern_named(input, "many small calls").worth, -1);
}

TEST(PatternAdvice, OnSmallCallsIsLeftOutWhereAPatternHasTheLine) {
  SampleProfileInput input;
  observe_site(input, small_adds());
  observe_site(input, selects_in("forward"));
  EXPECT_EQ(pattern_named(input, "many small calls").worth, -1);
}

}  // namespace
}  // namespace stepgate
