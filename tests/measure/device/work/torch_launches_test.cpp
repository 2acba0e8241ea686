// Launches as an observed counter notes them: by the operator that runs on their thread. A callback of LibTorch stands
// for CUDA here.
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "measure/device/work/observed_counter.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* own_kernel_symbol = "_ZN2at6native29vectorized_elementwise_kernelIfEEvPfi";
constexpr const char* library_kernel_symbol = "ampere_sgemm_64x64_nn";

/// Launches nothing itself.
class LaunchTeller final : public WorkCounter {
 public:
  explicit LaunchTeller(std::map<std::string, std::string> absent = {}) : absent_(std::move(absent)) {}
  void start() override {}
  void stop() override {}
  WorkTotals totals() override { return {}; }
  bool tell_launches(std::function<void(std::string_view kernel)> listener) override {
    launched = std::move(listener);
    return true;
  }
  std::map<std::string, std::string> absent() const override { return absent_; }

  static inline std::function<void(std::string_view kernel)> launched;

 private:
  std::map<std::string, std::string> absent_;
};

std::unique_ptr<at::ObserverContext> launch_as_cuda(const at::RecordFunction& call) {
  const std::string_view name = call.name();
  if (name == "aten::mul") LaunchTeller::launched(own_kernel_symbol);
  if (name == "aten::mm") {
    LaunchTeller::launched(library_kernel_symbol);
    LaunchTeller::launched(library_kernel_symbol);
  }
  if (name == "aten::neg") LaunchTeller::launched("");
  return nullptr;
}

/// CUDA from here on, on this thread. Register it after the counter's start: callbacks are called in their order.
class LaunchingOperators {
 public:
  LaunchingOperators()
      : handle_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(launch_as_cuda).scopes({at::RecordScope::FUNCTION}))) {}
  ~LaunchingOperators() { at::removeCallback(handle_); }
  LaunchingOperators(const LaunchingOperators&) = delete;
  LaunchingOperators& operator=(const LaunchingOperators&) = delete;

 private:
  at::CallbackHandle handle_;
};

/// `metrics`: of WorkTotals after `body` ran in boundary forward, and why some are absent.
struct CountedLaunches {
  WorkTotals totals;
  std::map<std::string, std::string> absent;
};

template <typename Body>
CountedLaunches count_launches(std::unique_ptr<WorkCounter> inner, Body body) {
  ObservedCounter counter(std::move(inner), {.with_launches = true}, [] { return std::vector<at::Tensor>(); });
  counter.start();
  counter.enter("forward");
  {
    const LaunchingOperators cuda;
    body();
  }
  counter.leave();
  CountedLaunches result{counter.totals(), {}};
  counter.stop();
  result.absent = counter.absent();
  return result;
}

TEST(ObservedLaunches, BelongToTheOperatorThatRuns) {
  const at::Tensor rows = at::ones({8, 64});
  const at::Tensor transposed = at::ones({4, 64}).t();
  const CountedLaunches result = count_launches(std::make_unique<LaunchTeller>(), [&] {
    at::mm(rows, transposed);
    at::mul(rows, rows);
    at::mul(rows, rows);
    LaunchTeller::launched(library_kernel_symbol);
  });
  const auto& calls = result.totals.device_calls;
  EXPECT_THAT(calls.at("own_kernels_per_step"), ElementsAre(Pair("elementwise of aten::mul", 2)));
  EXPECT_THAT(calls.at("library_calls_per_step"),
              ElementsAre(Pair("aten::mm(float32[8, 64], float32[64, 4] strides [1, 64])", 1),
                          Pair("code outside of operators(cublas)", 1)));
  EXPECT_EQ(result.totals.counters.at("own_kernels_per_step"), 2);
  EXPECT_EQ(result.totals.counters.at("library_calls_per_step"), 2);
  EXPECT_FALSE(result.absent.contains("own_kernels_per_step"));
}

TEST(ObservedLaunches, WithoutNamesNobodyKnowsWhoseTheKernelsAre) {
  const CountedLaunches result = count_launches(std::make_unique<LaunchTeller>(), [] { at::neg(at::ones({2})); });
  EXPECT_THAT(result.absent.at("own_kernels_per_step"), HasSubstr("no name of 1 kernels"));
  EXPECT_THAT(result.absent.at("library_calls_per_step"), HasSubstr("no name of 1 kernels"));
}

TEST(ObservedLaunches, AreAbsentWhereKernelsAre) {
  const std::map<std::string, std::string> refused = {{"kernels_per_step", "CUPTI refuses"}};
  const CountedLaunches result = count_launches(std::make_unique<LaunchTeller>(refused), [] {});
  EXPECT_EQ(result.absent.at("own_kernels_per_step"), "CUPTI refuses");
  EXPECT_EQ(result.absent.at("library_calls_per_step"), "CUPTI refuses");
}

}  // namespace
}  // namespace stepgate
