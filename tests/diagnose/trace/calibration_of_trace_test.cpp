#include "diagnose/trace/calibration_of_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "diagnose/trace/operators_at.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::UnorderedElementsAre;

constexpr const char* library_kernel = "ampere_sgemm_64x64_nn";
constexpr const char* own_kernel = "void at::native::vectorized_elementwise_kernel<float>()";

/// Calls on one thread of a program on one GPU, one after the other.
class ScriptedCalls {
 public:
  ScriptedCalls() {
    trace.source = "t.json";
    trace.threads = {"1/1", "1/2"};
    trace.device_ids = {0};
    trace.devices = {{0, "NVIDIA H100 80GB HBM3"}};
    trace.cuda_runtime_version = 12040;
    trace.cuda_driver_version = 12090;
  }

  /// `operands`: the size of its tensor; 0: the trace does not say.
  void begin(const std::string& op, std::int64_t operands) {
    open_.push_back(trace.events.size());
    add(TraceCategory::operator_call, op, place_of(operands), 0);
  }
  void end() {
    trace.events[open_.back()].duration_ns = ++now_ - trace.events[open_.back()].start_ns;
    open_.pop_back();
  }
  void launch(const std::string& kernel, const std::string& function = "cudaLaunchKernel") {
    add(TraceCategory::runtime_call, function, ++launches_, 0);
    if (!kernel.empty()) add(TraceCategory::kernel, kernel, launches_, 0);
  }
  void set_memory() {
    add(TraceCategory::runtime_call, "cudaMemsetAsync", ++launches_, 0);
    add(TraceCategory::memset, "Memset (Device)", launches_, 0);
  }
  void call(const std::string& op, std::int64_t operands, int kernels) {
    begin(op, operands);
    for (int i = 0; i < kernels; ++i) launch(library_kernel);
    end();
  }
  void add(TraceCategory category, const std::string& name, std::int64_t correlation, std::uint16_t place) {
    trace.events.push_back({.start_ns = ++now_,
                            .duration_ns = is_on_device(category) ? 1000 : 1,
                            .correlation = correlation,
                            .name = index_of(name),
                            .place = place,
                            .category = category});
    ++now_;
  }

  TraceEvents trace;

 private:
  std::uint32_t index_of(const std::string& name) {
    const auto found = std::find(trace.names.begin(), trace.names.end(), name);
    if (found == trace.names.end()) trace.names.push_back(name);
    return static_cast<std::uint32_t>(std::find(trace.names.begin(), trace.names.end(), name) - trace.names.begin());
  }
  std::int64_t place_of(std::int64_t size) {
    if (size == 0) return 0;
    const RecordedOperands operands{.types = {"float"}, .sizes = {{size}}, .strides = {{1}}, .values = {""}};
    const auto found = std::find(trace.operands.begin(), trace.operands.end(), operands);
    const std::int64_t place = found - trace.operands.begin() + 1;
    if (found == trace.operands.end()) trace.operands.push_back(operands);
    return place;
  }

  std::vector<std::size_t> open_;
  std::int64_t now_ = 0;
  std::int64_t launches_ = 0;
};

CalibratedCall row_of(std::int64_t calls, LeastAndMost kernels, LeastAndMost memsets = {}) {
  return {.calls = calls, .kernels = kernels, .memsets = memsets};
}

TEST(CalibrationOfTrace, CountsKernelsAndMemsetsOfEachLibraryCall) {
  ScriptedCalls calls;
  for (int i = 0; i < 2; ++i) {
    calls.begin("aten::linear", 8);
    calls.begin("aten::mm", 8);
    calls.set_memory();
    calls.launch(library_kernel);
    calls.launch(own_kernel);
    calls.launch(library_kernel);
    calls.end();
    calls.end();
  }
  calls.call("aten::mm", 9, 1);
  calls.begin("aten::mul", 8);
  calls.launch(own_kernel);
  calls.end();
  const LibraryCalibration calibration = calibration_of_trace(calls.trace);
  EXPECT_EQ(calibration.gpu, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(calibration.cuda_runtime, "12.4");
  EXPECT_EQ(calibration.cuda_driver, "12.9");
  EXPECT_THAT(calibration.calls, UnorderedElementsAre(Key("aten::mm(float32[8])"), Key("aten::mm(float32[9])")))
      << "of the innermost operator, and not where no library takes part";
  EXPECT_EQ(calibration.calls.at("aten::mm(float32[8])"), row_of(2, {2, 2}, {1, 1}));
  EXPECT_EQ(calibration.calls.at("aten::mm(float32[9])"), row_of(1, {1, 1}));
}

TEST(CalibrationOfTrace, EqualCallsOfDifferentNumbersAreAmbiguous) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  calls.call("aten::mm", 8, 3);
  const CalibratedCall row = calibration_of_trace(calls.trace).calls.at("aten::mm(float32[8])");
  EXPECT_EQ(row, row_of(2, {1, 3}));
  EXPECT_TRUE(row.is_ambiguous());
}

TEST(CalibrationOfTrace, ACallThatTookAnotherWayMakesARowAmbiguous) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  calls.begin("aten::mm", 8);
  calls.launch(own_kernel);
  calls.end();
  calls.begin("aten::mm", 8);
  calls.launch("");  // the trace lost its kernel
  calls.end();
  EXPECT_EQ(calibration_of_trace(calls.trace).calls.at("aten::mm(float32[8])"), row_of(3, {0, 1}));
}

TEST(CalibrationOfTrace, ACallOnTensorsOfTheHostIsNone) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  calls.call("aten::mm", 8, 0);
  EXPECT_EQ(calibration_of_trace(calls.trace).calls.at("aten::mm(float32[8])"), row_of(1, {1, 1}));
}

TEST(CalibrationOfTrace, SaysWhatItLeavesOut) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  calls.call("aten::mm", 0, 2);
  calls.launch(library_kernel);
  calls.begin("autograd::engine::evaluate_function: MmBackward0", 8);
  calls.launch(library_kernel);  // nodes of autograd are no operators
  calls.end();
  calls.launch(library_kernel, "cudaGraphLaunch");
  calls.add(TraceCategory::kernel, library_kernel, 999, 0);  // its launch lies before the recording
  const LibraryCalibration calibration = calibration_of_trace(calls.trace);
  EXPECT_THAT(calibration.calls, ElementsAre(Key("aten::mm(float32[8])")));
  EXPECT_EQ(calibration.left_out, (UncalibratedKernels{.outside_operators = 3, .in_graphs = 1, .without_operands = 2}));
}

/// The other thread runs an operator at that time.
TEST(CalibrationOfTrace, ALaunchBelongsToAnOperatorOfItsThread) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  calls.begin("aten::bmm", 8);
  calls.add(TraceCategory::runtime_call, "cudaLaunchKernel", 50, 1);
  calls.add(TraceCategory::kernel, library_kernel, 50, 0);
  calls.end();
  EXPECT_EQ(calibration_of_trace(calls.trace).left_out.outside_operators, 1);
}

template <typename Change>
std::string why_refused(Change change) {
  ScriptedCalls calls;
  calls.call("aten::mm", 8, 1);
  change(calls);
  try {
    calibration_of_trace(calls.trace);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "";
}

TEST(CalibrationOfTrace, IsOfOneRealGpu) {
  EXPECT_EQ(why_refused([](ScriptedCalls&) {}), "");
  EXPECT_THAT(why_refused([](ScriptedCalls& calls) { calls.trace.devices.clear(); }), HasSubstr("does not name"));
  EXPECT_THAT(why_refused([](ScriptedCalls& calls) { calls.trace.devices[0] = "emulated H100"; }),
              HasSubstr("ran on emulated H100"));
  EXPECT_THAT(why_refused([](ScriptedCalls& calls) {
                calls.trace.device_ids.push_back(1);
                calls.trace.devices[1] = "NVIDIA L4";
                calls.add(TraceCategory::kernel, library_kernel, 999, 1);
              }),
              HasSubstr("NVIDIA H100 80GB HBM3 and NVIDIA L4"));
}

TEST(CalibrationOfTrace, NeedsOperands) {
  EXPECT_THAT(why_refused([](ScriptedCalls& calls) { calls.trace.operands.clear(); }),
              HasSubstr("t.json: no library call with dtypes, sizes, strides and arguments (1 kernels"));
}

TEST(CalibrationOfTrace, AVersionThatIsNoneIsUnknown) {
  for (const std::int64_t version : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 62}) {
    ScriptedCalls calls;
    calls.call("aten::mm", 8, 1);
    calls.trace.cuda_runtime_version = version;
    EXPECT_EQ(calibration_of_trace(calls.trace).cuda_runtime, "") << version;
  }
}

TEST(OperatorsAt, FindsTheInnermostOperatorOfAThread) {
  TraceEvents trace;
  trace.threads = {"1/1"};
  trace.names = {"aten::outer", "aten::inner", "Node"};
  const auto add = [&](std::int64_t begin, std::int64_t end, std::uint32_t name) {
    trace.events.push_back({.start_ns = begin, .duration_ns = end - begin, .name = name});
  };
  add(20, 30, 1);  // in the order in which they ended
  add(40, 50, 1);
  add(10, 100, 0);
  add(10, 15, 1);
  add(60, 70, 2);
  const OperatorsAt operators(trace);
  const auto at = [&](std::int64_t time) -> std::string {
    const TraceEvent* found = operators.around({.start_ns = time});
    return found == nullptr ? "" : trace.name_of(*found);
  };
  EXPECT_EQ(at(9), "");
  EXPECT_EQ(at(10), "aten::inner") << "both begin there";
  EXPECT_EQ(at(15), "aten::outer") << "an end is no part of a range";
  EXPECT_EQ(at(25), "aten::inner");
  EXPECT_EQ(at(35), "aten::outer");
  EXPECT_EQ(at(65), "aten::outer") << "a node of autograd is no operator";
  EXPECT_EQ(at(100), "");
}

}  // namespace
}  // namespace stepgate
