#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.h"
#include "measure/device/cpu/counting_allocator.h"
#include "measure/device/device_side.h"
#include "measure/device/work/program_image.h"
#include "measure/device/work/work_observer.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/step/torch_step.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// What the observer saw while `body` ran in boundary forward.
template <typename Body>
ObservedWork observed(Body body, ObserverOptions options = {}, const std::vector<at::Tensor>& parameters = {}) {
  WorkObserver observer(options);
  observer.know_parameters(parameters);
  observer.start();
  observer.enter("forward");
  body();
  observer.leave();
  observer.end_step();
  observer.stop();
  return observer.take();
}

std::vector<OperatorSite> sites_of(const ObservedWork& work, std::string_view name) {
  std::vector<OperatorSite> found;
  for (const OperatorSite& site : work.sites) {
    if (site.name == name) found.push_back(site);
  }
  return found;
}

/// Of the only site of this operator.
OperatorSite site_of(const ObservedWork& work, std::string_view name) {
  const auto found = sites_of(work, name);
  EXPECT_THAT(found, SizeIs(1)) << name;
  return found.empty() ? OperatorSite{} : found.front();
}

WorkCounts counts_of(const Case& test_case, bool with_observer) {
  const auto device = open_device("cpu");
  CountingScope counting;
  const auto backend = device->make_backend(&counting.allocator());
  torch::manual_seed(1);
  const auto workload = test_case.make({});
  const auto copier = device->make_copier();
  TorchStep step(*workload, *copier);
  const std::unique_ptr<WorkCounter> counter =
      with_observer ? make_observed_counter(*device, *backend, [&] { return step.parameters(); })
                    : device->make_counter();
  return run_counts(step, *backend, *counter, test_case.steps);
}

const WorkCounts& mlp_counts() {
  static const WorkCounts counts = counts_of(toy_mlp(), true);
  return counts;
}

/// Calls at all sites, by boundary and operator, as WorkCounts::operators.
std::map<std::string, std::map<std::string, std::int64_t>> calls_at_sites(const ObservedWork& work) {
  std::map<std::string, std::map<std::string, std::int64_t>> calls;
  for (const OperatorSite& site : work.sites) calls[site.boundary][site.name] += site.calls;
  return calls;
}

/// Without boundaries in which nothing was called.
std::map<std::string, std::map<std::string, std::int64_t>> counted_calls(const WorkCounts& counts) {
  auto calls = counts.operators;
  std::erase_if(calls, [](const auto& boundary) { return boundary.second.empty(); });
  return calls;
}

TEST(WorkObserver, ChangesNoCount) {
  for (const Case& toy : {toy_mlp(), toy_conv()}) {
    const WorkCounts without = counts_of(toy, false);
    WorkCounts with = counts_of(toy, true);
    for (const char* metric :
         {"flops_per_step", "bytes_touched_per_step", "casts_per_step", "cast_bytes_per_step", "copy_bytes_per_step",
          "misaligned_matmul_flops_per_step", "saved_bytes_per_step", "would_sync_per_step"}) {
      EXPECT_EQ(with.per_step.erase(metric), 1U) << metric;
    }
    EXPECT_EQ(with.per_step, without.per_step) << toy.name << ": operators, allocations, bytes, nodes";
    EXPECT_EQ(with.operators, without.operators) << toy.name;
    EXPECT_FALSE(without.observed);
  }
}

TEST(WorkObserver, SeesEveryCountedCall) {
  for (const Case& toy : {toy_mlp(), toy_conv()}) {
    const WorkCounts counts = counts_of(toy, true);
    EXPECT_EQ(counts.observed->steps, 4);
    EXPECT_EQ(calls_at_sites(*counts.observed), counted_calls(counts)) << toy.name;
    std::int64_t allocated = 0;
    for (const OperatorSite& site : counts.observed->sites) allocated += site.allocated_bytes;
    const auto& per_step = counts.per_step.at("allocated_bytes_per_step");
    EXPECT_EQ(allocated, 4 * per_step.front()) << toy.name << ": each tensor is allocated within an operator";
  }
}

TEST(WorkObserver, CountsTheFlopsOfAStep) {
  const std::int64_t first_layer = 2 * 32 * 64 * 64;
  const std::int64_t second_layer = 2 * 32 * 64 * 10;
  // The input of the first layer needs no gradient.
  const std::int64_t backward = first_layer + 2 * second_layer;
  EXPECT_THAT(mlp_counts().per_step.at("flops_per_step"), Each(first_layer + second_layer + backward));
  const auto& by_boundary = mlp_counts().by_boundary.at("flops_per_step");
  EXPECT_EQ(by_boundary.at("forward"), 4 * (first_layer + second_layer));
  EXPECT_EQ(by_boundary.at("backward"), 4 * backward);
  EXPECT_EQ(by_boundary.at("optimizer"), 0) << "elementwise work counts no FLOPs";
  std::int64_t bytes = 0;
  for (const OperatorSite& site : mlp_counts().observed->sites) bytes += site.bytes;
  EXPECT_EQ(4 * mlp_counts().per_step.at("bytes_touched_per_step").front(), bytes);
}

TEST(WorkObserver, KnowsAFormulaOrNoneIsNeededForAllThatTheToysCall) {
  for (const Case& toy : {toy_mlp(), toy_conv()}) {
    for (const OperatorSite& site : counts_of(toy, true).observed->sites) EXPECT_TRUE(site.has_formula) << site.name;
  }
  const at::Tensor matrix = at::eye(4);
  const ObservedWork unknown = observed([&] { at::linalg_inv_ex(matrix); });
  EXPECT_FALSE(site_of(unknown, "aten::linalg_inv_ex").has_formula);
}

TEST(WorkObserver, CountsEachGradientOfAConvolutionOnce) {
  const at::Tensor images = at::randn({2, 4, 9, 9}).requires_grad_();
  const at::Tensor weight = at::randn({6, 2, 3, 3}).requires_grad_();
  const std::int64_t once = 2 * 2 * (7 * 7) * 6 * 2 * (3 * 3);
  const std::vector<std::int64_t> padding = {0, 0};
  const ObservedWork work = observed([&] { at::conv2d(images, weight, {}, 1, padding, 1, 2).sum().backward(); });
  EXPECT_EQ(site_of(work, "aten::convolution").flops, once);
  EXPECT_EQ(site_of(work, "aten::mkldnn_convolution").flops, 0) << "a part of convolution";
  EXPECT_EQ(site_of(work, "aten::convolution_backward").flops, 2 * once);
}

TEST(WorkObserver, CountsBytesOnlyWhereTheyMove) {
  const at::Tensor left = at::ones({8, 16});
  const at::Tensor right = at::ones({8, 16});
  const at::Tensor row = at::ones({16});
  const at::Tensor rows = at::arange(2);
  const std::int64_t size = 8 * 16 * 4;
  const ObservedWork work = observed([&] {
    at::add(left, right);
    left.mul_(right);
    at::sub(left, row.expand({8, 16}));
    left.t();
    at::mean(left, {0});
    left.index_select(0, rows);
  });
  EXPECT_EQ(site_of(work, "aten::add").bytes, 3 * size);
  EXPECT_EQ(site_of(work, "aten::mul_").bytes, 3 * size) << "read, read and written";
  EXPECT_EQ(site_of(work, "aten::sub").bytes, 2 * size + 16 * 4) << "a broadcast row is read once";
  EXPECT_EQ(site_of(work, "aten::t").bytes + site_of(work, "aten::transpose").bytes, 0);
  EXPECT_EQ(site_of(observed([&] { right.copy_(left); }), "aten::copy_").bytes, 2 * size) << "overwritten, not read";
  EXPECT_EQ(site_of(work, "aten::mean").bytes, size + 16 * 4) << "with the operators that it calls";
  EXPECT_EQ(site_of(work, "aten::sum").bytes, 0) << "a part of mean";
  EXPECT_EQ(site_of(work, "aten::index_select").bytes, 2 * (2 * 16 * 4) + 2 * 8) << "two rows, not the whole table";
}

TEST(WorkObserver, DescribesOperandsAndArguments) {
  const at::Tensor weight = at::ones({8, 4}).requires_grad_();
  weight.mutable_grad() = at::zeros({8, 4});
  const ObservedWork work = observed(
      [&] {
        const at::NoGradGuard no_grad;
        const at::Tensor transposed = weight.permute({1, 0});
        at::sigmoid(transposed);
        weight.mutable_grad().add_(weight, 0.5);
        weight.to(at::kDouble);
      },
      {}, {weight});
  const OperatorSite permute = site_of(work, "aten::permute");
  EXPECT_EQ(permute.inputs, (std::vector<ObservedTensor>{{{8, 4}, {4, 1}, "float32", "parameter"}}));
  EXPECT_EQ(permute.outputs, (std::vector<ObservedTensor>{{{4, 8}, {1, 4}, "float32"}}));
  EXPECT_THAT(permute.arguments, ElementsAre("[1, 0]"));
  EXPECT_EQ(site_of(work, "aten::sigmoid").inputs.at(0).from, "aten::permute");
  EXPECT_EQ(site_of(work, "aten::add_").inputs.at(0).from, "gradient");
  EXPECT_EQ(site_of(work, "aten::add_").arguments, std::vector<std::string>{"0.5"});
  const OperatorSite cast = site_of(work, "aten::_to_copy");
  EXPECT_EQ(cast.parent, "aten::to");
  EXPECT_EQ(cast.arguments.at(0), "float64");
  EXPECT_EQ(cast.outputs.at(0).dtype, "float64");
}

TEST(WorkObserver, SortsByShapeOnRequest) {
  const auto body = [] {
    for (const std::int64_t size : {4, 8, 4}) at::ones({size, size}).sigmoid();
  };
  EXPECT_EQ(site_of(observed(body), "aten::sigmoid").calls, 3);
  ObserverOptions by_shape;
  by_shape.by_shape = true;
  const ObservedWork work = observed(body, by_shape);
  EXPECT_TRUE(work.by_shape);
  const auto sites = sites_of(work, "aten::sigmoid");
  ASSERT_THAT(sites, SizeIs(2));
  EXPECT_EQ(sites[0].calls, 2);
  EXPECT_EQ(sites[1].inputs.at(0).sizes, (std::vector<std::int64_t>{8, 8}));
}

[[gnu::noinline]] at::Tensor first_function(const at::Tensor& tensor) { return tensor.sigmoid().mul(2); }
[[gnu::noinline]] at::Tensor second_function(const at::Tensor& tensor) { return first_function(tensor).sigmoid(); }

/// How many calls on the stack of a place lie in `function`, which is one of these two and short.
std::int64_t frames_in(const ObservedWork& work, const OperatorSite& site, at::Tensor (*function)(const at::Tensor&)) {
  if (!site.place) return -1;
  const std::uintptr_t load_base = program_image().load_base;
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(function) - load_base;
  std::uint64_t end = begin + 400;
  for (const auto other : {&first_function, &second_function}) {
    const std::uint64_t next = reinterpret_cast<std::uintptr_t>(other) - load_base;
    if (next > begin) end = std::min(end, next);
  }
  return std::ranges::count_if(work.places.at(*site.place).offsets,
                               [&](std::uint64_t at) { return at > begin && at < end; });
}

TEST(WorkObserver, FindsThePlaceInThisProgram) {
  const at::Tensor tensor = at::ones({4});
  const ObservedWork work = observed([&] { second_function(tensor); });
  EXPECT_EQ(work.not_lines, "");
  EXPECT_EQ(work.frames_from, FramesFrom::nothing);
  EXPECT_THAT(work.build_id, Not(IsEmpty()));
  const auto sigmoids = sites_of(work, "aten::sigmoid");
  ASSERT_THAT(sigmoids, SizeIs(2)) << "one operator at two places";
  EXPECT_EQ(frames_in(work, sigmoids[0], first_function), 1);
  EXPECT_EQ(frames_in(work, sigmoids[0], second_function), 1);
  EXPECT_EQ(frames_in(work, sigmoids[1], first_function), 0);
  EXPECT_EQ(frames_in(work, sigmoids[1], second_function), 1);
  ObserverOptions without_lines;
  without_lines.with_lines = false;
  EXPECT_THAT(observed([&] { second_function(tensor); }, without_lines).places, IsEmpty());
}

TEST(WorkObserver, GivesBackwardThePlaceOfItsForwardOperator) {
  const at::Tensor tensor = at::ones({4}).requires_grad_();
  const ObservedWork work = observed([&] { first_function(tensor).sum().backward(); });
  const OperatorSite backward = site_of(work, "aten::sigmoid_backward");
  EXPECT_TRUE(backward.for_forward);
  EXPECT_EQ(frames_in(work, backward, first_function), 1);
  EXPECT_FALSE(site_of(work, "aten::sigmoid").for_forward);
  EXPECT_EQ(backward.place, site_of(work, "aten::sigmoid").place);
}

TEST(WorkObserver, BooksWorkersOnTheLoader) {
  const at::Tensor matrix = at::ones({4, 4});
  WorkObserver observer({});
  observer.start();
  observer.enter("forward");
  std::thread([&] { at::mm(matrix, matrix); }).join();
  EXPECT_EQ(observer.totals().flops, 0);
  at::mm(matrix, matrix);
  EXPECT_EQ(observer.totals().flops, 2 * 4 * 4 * 4);
  observer.leave();
  at::mm(matrix, matrix);
  observer.stop();
  const auto products = sites_of(observer.take(), "aten::mm");
  ASSERT_THAT(products, SizeIs(2));
  EXPECT_EQ(products[0].boundary, "data_wait");
  EXPECT_EQ(products[1].boundary, "forward");
  EXPECT_EQ(products[1].calls, 1) << "work between boundaries belongs to none";
}

TEST(WorkObserver, StopWaitsForCallbacksOnOtherThreads) {
  std::atomic<bool> entered = false;
  std::atomic<bool> left = false;
  WorkObserver observer({.requested_bytes = [&]() -> std::int64_t {
    entered = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    left = true;
    return 0;
  }});
  observer.start();
  std::thread worker([] { at::ones({1}); });
  while (!entered) std::this_thread::yield();
  observer.stop();
  EXPECT_TRUE(left) << "the callback still used the observer";
  worker.join();
}

TEST(WorkObserver, RefusesASecondOne) {
  WorkObserver first({});
  first.start();
  WorkObserver second({});
  EXPECT_THROW(second.start(), Error);
  first.stop();
  EXPECT_NO_THROW(second.start());
}

}  // namespace
}  // namespace stepgate
