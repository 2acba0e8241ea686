// A library call has one name in a record and in a trace of the same calls. A callback of LibTorch stands for CUDA.
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/torch.h>

#include <set>
#include <string>

#include "core/kernels/launch_name.h"
#include "diagnose/trace/recorded_call_name.h"
#include "json/traces/trace_file.h"
#include "measure/device/work/observed_counter.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

/// Launches nothing itself.
class NameTeller final : public WorkCounter {
 public:
  void start() override {}
  void stop() override {}
  WorkTotals totals() override { return {}; }
  bool tell_launches(std::function<void(std::string_view kernel)> listener) override {
    launched = std::move(listener);
    return true;
  }

  static inline std::function<void(std::string_view kernel)> launched;
};

/// Operators for which LibTorch asks a library on a GPU.
bool asks_library(std::string_view op) {
  return op == "aten::mm" || op == "aten::addmm" || op == "aten::bmm" || op == "aten::convolution" ||
         op == "aten::convolution_backward" || op == "aten::native_batch_norm";
}

std::unique_ptr<at::ObserverContext> launch_of_library(const at::RecordFunction& call) {
  if (asks_library(call.name())) NameTeller::launched("ampere_sgemm_64x64_nn");
  return nullptr;
}

void call_libraries() {
  const at::Tensor rows = at::ones({8, 64});
  at::mm(rows, at::ones({4, 64}).t());
  at::addmm(at::ones({4}), rows, at::ones({64, 4}), 0.1, 2);
  at::bmm(at::ones({2, 3, 4}).transpose(1, 2), at::ones({2, 3, 5}));
  at::Tensor weight = at::ones({6, 3, 3, 3}).requires_grad_();
  const at::Tensor images = at::ones({2, 3, 8, 8}).contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor features = at::conv2d(images, weight, {}, {1, 1}, {1, 1});
  at::batch_norm(features, {}, {}, {}, {}, true, 0.1, 1e-5, true).sum().backward();
}

std::set<std::string> names_in_trace(const std::filesystem::path& file) {
  const TraceEvents trace = read_trace_file(file, {.operands = most_trace_operands});
  std::set<std::string> names;
  for (const TraceEvent& event : trace.events) {
    if (event.category != TraceCategory::operator_call || !asks_library(trace.name_of(event))) continue;
    const auto place = static_cast<std::size_t>(event.correlation);
    const auto name = place == 0 ? std::nullopt : recorded_call_name(trace.name_of(event), trace.operands[place - 1]);
    names.insert(name.value_or("no name of " + trace.name_of(event)));
  }
  return names;
}

std::set<std::string> names_in_record(const WorkTotals& totals) {
  std::set<std::string> names;
  for (const auto& [call, number] : totals.device_calls.at(std::string(library_calls_metric)))
    names.insert(calibration_key(call));
  return names;
}

TEST(RecordedNames, AreThoseOfATraceOfTheSameCalls) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  ObservedCounter counter(std::make_unique<NameTeller>(), {.with_launches = true},
                          [] { return std::vector<at::Tensor>(); });
  const ProfilerConfig config(ProfilerState::KINETO, /*report_input_shapes=*/true);
  const std::set<ActivityType> activities = {ActivityType::CPU};
  profiler::prepareProfiler(config, activities);
  profiler::enableProfiler(config, activities);
  counter.start();
  counter.enter("forward");
  const at::CallbackHandle cuda =
      at::addThreadLocalCallback(at::RecordFunctionCallback(launch_of_library).scopes({at::RecordScope::FUNCTION}));
  call_libraries();
  at::removeCallback(cuda);
  counter.leave();
  const WorkTotals totals = counter.totals();
  counter.stop();
  profiler::disableProfiler()->save(file);

  const std::set<std::string> recorded = names_in_record(totals);
  EXPECT_EQ(recorded, names_in_trace(file));
  EXPECT_GE(recorded.size(), 6U);
  EXPECT_THAT(recorded, testing::Contains("aten::mm(float32[8, 64], float32[64, 4] strides [1, 64])"));
  EXPECT_THAT(recorded, testing::Contains("aten::addmm(float32[4], float32[8, 64], float32[64, 4], 0.1, 2)"));
}

}  // namespace
}  // namespace stepgate
