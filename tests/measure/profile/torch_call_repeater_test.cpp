// Calls of chosen places run twice over real tensors; the step computes the same.
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "core/error.h"
#include "measure/device/work/work_observer.h"
#include "measure/profile/experiments/call_repeater.h"

namespace stepgate {
namespace {

using Mode = CallRepeater::Mode;

[[gnu::noinline]] torch::Tensor repeated_product(const torch::Tensor& left, const torch::Tensor& right) {
  const torch::Tensor product = torch::mm(left, right);
  return product.tanh();  // not in the tail, so that this function stays on the stack
}

[[gnu::noinline]] torch::Tensor repeated_in_place(torch::Tensor sum, const torch::Tensor& more) {
  sum.add_(more);
  return sum.clone();
}

std::map<std::string, int> seen_calls;

/// Counts the operators that run in `body`, also those within others, or with another scope autograd's nodes.
std::map<std::string, int> calls_in(const std::function<void()>& body,
                                    at::RecordScope scope = at::RecordScope::FUNCTION) {
  seen_calls.clear();
  const auto handle = at::addGlobalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
        ++seen_calls[call.name()];
        return nullptr;
      }).scopes({scope}));
  body();
  at::removeCallback(handle);
  return seen_calls;
}

/// The calls that only this operator of `body` has on its stack.
RepeatedPlace place_of(const std::string& name, const std::function<void()>& body) {
  WorkObserver observer({.by_shape = false});
  observer.start();
  observer.enter("forward");
  body();
  observer.leave();
  observer.end_step();
  observer.stop();
  const ObservedWork work = observer.take();
  RepeatedPlace place{.name = name, .offsets = {}};
  for (const OperatorSite& site : work.sites) {
    if (site.name == name && !site.for_forward) place.offsets = work.places.at(site.place.value()).offsets;
  }
  for (const OperatorSite& site : work.sites) {
    if (site.name == name || !site.parent.empty() || !site.place || site.for_forward) continue;
    for (const std::uint64_t offset : work.places.at(*site.place).offsets) std::erase(place.offsets, offset);
  }
  std::ranges::sort(place.offsets);
  return place;
}

/// A step of one boundary in the given mode, after one that was learnt.
void run_step(CallRepeater& repeater, Mode mode, const std::function<void()>& body, std::uint64_t shape = 1) {
  repeater.set_mode(mode);
  repeater.enter(Boundary::forward, shape);
  body();
  repeater.set_mode(Mode::off);
}

struct Product {
  torch::Tensor left = torch::ones({4, 4}, torch::requires_grad());
  torch::Tensor right = torch::full({4, 4}, 0.1, torch::requires_grad());
  torch::Tensor result;

  void forward_and_backward() {
    left.mutable_grad().reset();
    result = repeated_product(left, right);
    result.sum().backward();
  }
};

TEST(CallRepeater, RepeatsTheCallsOfAPlaceInForwardAndBackward) {
  Product product;
  const auto body = [&] { product.forward_and_backward(); };
  const RepeatedPlace place = place_of("aten::mm", body);
  ASSERT_FALSE(place.offsets.empty());
  const auto once = calls_in(body);
  const torch::Tensor gradient = product.left.grad().clone();
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body);
  EXPECT_EQ(repeater.calls_of(0), 5);  // one of forward; of backward two, each with a transposed operand
  const auto passed = calls_in([&] { run_step(repeater, Mode::pass, body); });
  EXPECT_EQ(passed.at("aten::mm"), 3);
  const auto twice = calls_in([&] { run_step(repeater, Mode::repeat, body); });
  EXPECT_EQ(twice.at("aten::mm"), 6);
  EXPECT_EQ(twice.at("aten::tanh"), once.at("aten::tanh"));
  EXPECT_EQ(twice.at("aten::sum"), once.at("aten::sum"));
  EXPECT_TRUE(torch::equal(product.left.grad(), gradient));
  EXPECT_EQ(repeater.strayed_share(0), 0);
}

TEST(CallRepeater, GivesAutogradANodeMoreForEachRepeatedCall) {
  Product product;
  const auto body = [&] { product.forward_and_backward(); };
  CallRepeater repeater({place_of("aten::mm", body)});
  const auto nodes_in = [&](Mode mode) {
    int nodes = 0;
    for (const auto& [name, calls] :
         calls_in([&] { run_step(repeater, mode, body); }, at::RecordScope::BACKWARD_FUNCTION))
      nodes += calls;
    return nodes;
  };
  run_step(repeater, Mode::learn, body);
  const int once = nodes_in(Mode::pass);
  const torch::Tensor gradient = product.left.grad().clone();
  EXPECT_EQ(nodes_in(Mode::repeat), once + 1);
  EXPECT_TRUE(torch::equal(product.left.grad(), gradient));
}

TEST(CallRepeater, WritesTheSecondTimeIntoScratch) {
  torch::Tensor sum = torch::zeros({3});
  const torch::Tensor more = torch::ones({3}, torch::requires_grad());
  const auto body = [&] {
    const torch::NoGradGuard no_grad;
    repeated_in_place(sum, more);
  };
  const RepeatedPlace place = place_of("aten::add_", body);
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body);
  sum.zero_();
  const auto calls = calls_in([&] { run_step(repeater, Mode::repeat, body); });
  EXPECT_EQ(calls.at("aten::add_"), 2);
  EXPECT_TRUE(torch::equal(sum, torch::ones({3})));
  run_step(repeater, Mode::repeat, body);
  EXPECT_TRUE(torch::equal(sum, torch::full({3}, 2.0)));
}

TEST(CallRepeater, ScratchKeepsNoHistoryOfEarlierSteps) {
  const torch::Tensor weight = torch::ones({3}, torch::requires_grad());
  torch::Tensor result;
  const auto body = [&] { result = repeated_in_place(weight * 1, weight); };
  const RepeatedPlace place = place_of("aten::add_", body);
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body);
  repeater.set_mode(Mode::repeat);
  for (int step = 0; step < 3; ++step) {
    repeater.enter(Boundary::forward, 1);
    EXPECT_NO_THROW(body());
  }
  repeater.set_mode(Mode::off);
  EXPECT_TRUE(torch::equal(result, torch::full({3}, 2.0)));
}

TEST(CallRepeater, LeavesAStepAloneThatCallsOtherOperators) {
  bool other = false;
  const torch::Tensor ones = torch::ones({2, 2});
  const auto body = [&] {
    if (other) torch::cos(ones);
    repeated_product(ones, ones);
  };
  const RepeatedPlace place = place_of("aten::mm", body);
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body);
  other = true;
  const auto calls = calls_in([&] { run_step(repeater, Mode::repeat, body); });
  EXPECT_EQ(calls.at("aten::mm"), 1);
  EXPECT_EQ(repeater.strayed_share(0), 1);
}

TEST(CallRepeater, AStepThatMakesFewerCallsThanLearntHasStrayed) {
  int products = 2;
  const torch::Tensor ones = torch::ones({2, 2});
  const auto body = [&] {
    for (int i = 0; i < products; ++i) repeated_product(ones, ones);
  };
  const RepeatedPlace place = place_of("aten::mm", body);
  CallRepeater repeater({place, {.name = "other", .offsets = {}}});
  run_step(repeater, Mode::learn, body);
  products = 1;
  repeater.set_mode(Mode::repeat);
  for (int step = 0; step < 3; ++step) {
    repeater.enter(Boundary::forward, 1);
    body();
  }
  EXPECT_NEAR(repeater.strayed_share(0), 2.0 / 3, 1e-9) << "the last boundary may still make its calls";
  EXPECT_EQ(repeater.strayed_share(1), 0);
  repeater.set_mode(Mode::off);
}

TEST(CallRepeater, KnowsTheCallsOfBatchesOfOtherShapes) {
  int products = 1;
  const torch::Tensor ones = torch::ones({2, 2});
  const auto body = [&] {
    for (int i = 0; i < products; ++i) repeated_product(ones, ones);
  };
  const RepeatedPlace place = place_of("aten::mm", body);
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body, 1);
  products = 3;
  run_step(repeater, Mode::learn, body, 3);
  EXPECT_EQ(repeater.calls_of(0), 3);
  EXPECT_EQ(calls_in([&] { run_step(repeater, Mode::repeat, body, 3); }).at("aten::mm"), 6);
  EXPECT_EQ(repeater.strayed_share(0), 0);
  products = 1;
  EXPECT_EQ(calls_in([&] { run_step(repeater, Mode::repeat, body, 1); }).at("aten::mm"), 2);
  EXPECT_EQ(repeater.strayed_share(0), 0);
  EXPECT_EQ(calls_in([&] { run_step(repeater, Mode::repeat, body, 2); }).at("aten::mm"), 1);
  EXPECT_NEAR(repeater.strayed_share(0), 1.0 / 3, 1e-9) << "a shape that it did not learn";
}

torch::Tensor twice_of(const torch::Tensor& tensor) { return tensor + tensor; }

TORCH_LIBRARY(stepgate_repeater_test, m) { m.def("twice(Tensor x) -> Tensor", &twice_of); }

[[gnu::noinline]] torch::Tensor repeated_own_operator(const torch::Tensor& tensor) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("stepgate_repeater_test::twice", "")
                             .typed<torch::Tensor(const torch::Tensor&)>();
  const torch::Tensor result = op.call(tensor);
  return result.clone();
}

TEST(CallRepeater, RunsOperatorsOutsideOfAtenOnce) {
  const torch::Tensor ones = torch::ones({2});
  const auto body = [&] { repeated_own_operator(ones); };
  const RepeatedPlace place = place_of("stepgate_repeater_test::twice", body);
  CallRepeater repeater({place});
  run_step(repeater, Mode::learn, body);
  EXPECT_EQ(repeater.calls_of(0), 0);
  const auto calls = calls_in([&] { run_step(repeater, Mode::repeat, body); });
  EXPECT_EQ(calls.at("stepgate_repeater_test::twice"), 1);
}

TEST(CallRepeater, WhatItCostsToRepeatACallIsSmallAndLeavesTheModeOff) {
  CallRepeater repeater(std::vector<RepeatedPlace>{{.name = "a", .offsets = {}}});
  const double price = repeater.repeating_ns();
  EXPECT_GE(price, 0);
  EXPECT_LT(price, 1e6) << "a millisecond for a call";
  EXPECT_FALSE(c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::TESTING_ONLY_GenericMode));
  EXPECT_EQ(repeater.calls_of(0), 0);
}

TEST(CallRepeater, OnlyOneExists) {
  {
    const CallRepeater first({});
    EXPECT_THROW(CallRepeater({}), Error);
  }
  EXPECT_NO_THROW(CallRepeater({}));
}

}  // namespace
}  // namespace stepgate
