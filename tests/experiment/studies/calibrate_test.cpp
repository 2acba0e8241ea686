// A calibration from a trace. The traces of an H100 are data of others: without STEPGATE_TRACES those tests are
// skipped.
#include "experiment/studies/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "core/kernels/kernel_origin.h"
#include "core/stored/calibrated_sum.h"
#include "diagnose/trace/calibration_of_trace.h"
#include "json/expect_error.h"
#include "json/stored/calibration_json.h"
#include "json/traces/trace_file.h"
#include "support/scripted_trace.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// One product of a library, whose second kernel is that of a split.
std::string trace_of_a_product(const std::string& gpu) {
  ScriptedTrace trace;
  trace.raw(R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 17, "tid": 1, "ts": 1712195495000010, "dur": 50,
    "args": {"Input type": ["float", "float"], "Input Dims": [[8, 64], [64, 4]], "Input Strides": [[64, 1], [4, 1]],
    "Concrete Inputs": ["", ""]}})");
  for (int correlation : {1, 2}) {
    trace.call("cudaLaunchKernel", 10 + 10 * correlation, 5, correlation);
    trace.kernel(correlation == 1 ? "ampere_sgemm_32x128_tn" : "splitKreduce_kernel", 100 + correlation, 5,
                 correlation);
  }
  std::string text = trace.text();
  const std::string toy = "Toy GPU";
  return text.replace(text.find(toy), toy.size(), gpu);
}

TEST(Calibrate, WritesWhatTheTraceShows) {
  const TemporaryFolder folder;
  const fs::path trace = folder.write("t.json", trace_of_a_product("NVIDIA H100 80GB HBM3"));
  const fs::path file = folder.path() / "h100.json";
  const LibraryCalibration written = write_calibration(trace, file);
  EXPECT_EQ(calibration_from_text(text_of(file), file.string()), written);
  EXPECT_EQ(written.calls.at("aten::mm(float32[8, 64], float32[64, 4])").kernels, (LeastAndMost{2, 2}));
}

TEST(Calibrate, WritesNothingWhereTheTraceShowsNothing) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("h100.json", "an older one");
  for (const std::string& text : {std::string("{"), trace_of_a_product(""), trace_of_a_product("emulated H100")}) {
    const fs::path trace = folder.write("t.json", text);
    expect_error([&] { write_calibration(trace, file); }, ErrorKind::usage, {"t.json"});
    EXPECT_EQ(text_of(file), "an older one");
  }
}

/// The traces of H100s with sizes, strides and arguments.
std::vector<fs::path> real_traces() {
  std::vector<fs::path> files;
  const char* folders = std::getenv("STEPGATE_TRACES");
  std::istringstream list(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
      if (entry.path().filename().string().starts_with("h100_")) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TraceEvents with_operands(const fs::path& file) { return read_trace_file(file, {.operands = most_trace_operands}); }

std::int64_t library_kernels_of(const TraceEvents& trace) {
  return std::count_if(trace.events.begin(), trace.events.end(), [&](const TraceEvent& event) {
    return event.category == TraceCategory::kernel &&
           kind_of_kernel(trace.name_of(event)).origin == KernelOrigin::library;
  });
}

std::int64_t kernels_by_table(const LibraryCalibration& calibration) {
  std::int64_t kernels = 0;
  for (const auto& [name, call] : calibration.calls) kernels += call.calls * call.kernels.most;
  return kernels;
}

TEST(Calibrate, TheTableAddsUpToTheKernelsOfARealTrace) {
  const std::vector<fs::path> traces = real_traces();
  if (traces.empty()) GTEST_SKIP() << "SKIPPED: set STEPGATE_TRACES to a folder with traces of H100s (h100_*.json.gz)";
  for (const fs::path& file : traces) {
    const TraceEvents trace = with_operands(file);
    const LibraryCalibration calibration = calibration_of_trace(trace);
    const UncalibratedKernels& left = calibration.left_out;
    EXPECT_EQ(kernels_by_table(calibration) + left.outside_operators + left.in_graphs + left.without_operands,
              library_kernels_of(trace))
        << file;
    EXPECT_EQ(left.without_operands, 0) << file;
  }
}

/// The calls of the trace before or after the middle one. Work of the device stays: without its launch it is nobody's.
TraceEvents half_of(const TraceEvents& trace, bool first) {
  std::vector<std::int64_t> begins;
  for (const TraceEvent& event : trace.events) {
    if (event.category == TraceCategory::operator_call) begins.push_back(event.start_ns);
  }
  const auto middle = begins.begin() + static_cast<std::ptrdiff_t>(begins.size() / 2);
  std::nth_element(begins.begin(), middle, begins.end());
  TraceEvents half = trace;
  std::erase_if(half.events, [&](const TraceEvent& event) {
    return !is_on_device(event.category) && (event.start_ns < *middle) != first;
  });
  return half;
}

struct Agreement {
  int shared = 0;
  int equal = 0;
  std::int64_t calls = 0;
};

/// What a table says of the calls of another one.
void add_agreement(const LibraryCalibration& table, const LibraryCalibration& other, Agreement& agreement) {
  for (const auto& [name, call] : other.calls) {
    const auto row = table.calls.find(name);
    if (row == table.calls.end() || row->second.is_ambiguous()) continue;
    ++agreement.shared;
    agreement.equal += row->second.kernels == call.kernels ? 1 : 0;
    agreement.calls += call.calls;
  }
}

/// A table is of use only where it holds for calls that it was not made from.
TEST(Calibrate, ATableOfOneHalfOfARealTraceHoldsForTheOther) {
  const std::vector<fs::path> traces = real_traces();
  if (traces.empty()) GTEST_SKIP() << "SKIPPED: set STEPGATE_TRACES to a folder with traces of H100s (h100_*.json.gz)";
  Agreement halves;
  Agreement others;
  std::vector<LibraryCalibration> tables;
  for (const fs::path& file : traces) {
    const TraceEvents trace = with_operands(file);
    add_agreement(calibration_of_trace(half_of(trace, true)), calibration_of_trace(half_of(trace, false)), halves);
    tables.push_back(calibration_of_trace(trace));
    for (std::size_t i = 0; i + 1 < tables.size(); ++i) {
      if (tables[i].cuda_runtime == tables.back().cuda_runtime) add_agreement(tables[i], tables.back(), others);
    }
  }
  std::cout << "second halves by first ones: " << halves.equal << " of " << halves.shared << " shapes agree, "
            << halves.calls << " calls; by other traces: " << others.equal << " of " << others.shared << "\n";
  EXPECT_EQ(halves.equal, halves.shared);
  EXPECT_GE(halves.shared, 10);
  EXPECT_EQ(others.equal, others.shared);
}

}  // namespace
}  // namespace stepgate
