#include "diagnose/trace/calibration_of_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/kernel_origin.h"
#include "diagnose/trace/launch_calls.h"
#include "diagnose/trace/operators_at.h"
#include "diagnose/trace/recorded_call_name.h"

namespace stepgate {
namespace {

/// What one operator call started itself.
struct StartedWork {
  bool launches = false;  ///< it called a function that starts a kernel
  std::int64_t library_kernels = 0;
  std::int64_t memsets = 0;
};

using WorkByCall = std::unordered_map<const TraceEvent*, StartedWork>;

bool starts_kernel(std::string_view function) { return function.find("LaunchKernel") != std::string_view::npos; }
bool starts_graph(std::string_view function) { return function.find("GraphLaunch") != std::string_view::npos; }

/// Each name is looked at once.
class LibraryNames {
 public:
  explicit LibraryNames(const TraceEvents& trace) : trace_(trace), known_(trace.names.size()) {}
  bool has(const TraceEvent& kernel) {
    std::optional<bool>& known = known_[kernel.name];
    if (!known) known = kind_of_kernel(trace_.name_of(kernel)).origin == KernelOrigin::library;
    return *known;
  }

 private:
  const TraceEvents& trace_;
  std::vector<std::optional<bool>> known_;
};

/// Work of the device, by the operator call that started it.
class StartedByCalls {
 public:
  explicit StartedByCalls(const TraceEvents& trace)
      : trace_(trace), operators_(trace), launches_(trace), names_(trace) {
    for (const TraceEvent& event : trace.events) {
      if (event.category == TraceCategory::runtime_call && starts_kernel(trace.name_of(event))) note_launch(event);
      if (event.category == TraceCategory::kernel && names_.has(event)) note_library_kernel(event);
      if (event.category == TraceCategory::memset) note_memset(event);
    }
  }

  const WorkByCall& calls() const { return calls_; }
  const UncalibratedKernels& left_out() const { return left_out_; }
  const std::set<std::uint16_t>& devices() const { return devices_; }

 private:
  void note_launch(const TraceEvent& launch) {
    if (const TraceEvent* call = operators_.around(launch)) calls_[call].launches = true;
  }

  void note_library_kernel(const TraceEvent& kernel) {
    devices_.insert(kernel.place);
    const TraceEvent* launch = launches_.of(kernel);
    if (launch != nullptr && starts_graph(trace_.name_of(*launch))) {
      ++left_out_.in_graphs;
      return;
    }
    const TraceEvent* call = launch == nullptr ? nullptr : operators_.around(*launch);
    if (call == nullptr) {
      ++left_out_.outside_operators;
    } else {
      ++calls_[call].library_kernels;
    }
  }

  void note_memset(const TraceEvent& memset) {
    const TraceEvent* launch = launches_.of(memset);
    const TraceEvent* call = launch == nullptr ? nullptr : operators_.around(*launch);
    if (call != nullptr) ++calls_[call].memsets;
  }

  const TraceEvents& trace_;
  OperatorsAt operators_;
  LaunchCalls launches_;
  LibraryNames names_;
  WorkByCall calls_;
  UncalibratedKernels left_out_;
  std::set<std::uint16_t> devices_;
};

/// An operator by its name and its operands, as places in the trace.
using TracedCall = std::pair<std::uint32_t, std::int64_t>;

void widen(LeastAndMost& range, const LeastAndMost& other) {
  range.least = std::min(range.least, other.least);
  range.most = std::max(range.most, other.most);
}

void add_calls(CalibratedCall& row, const CalibratedCall& more) {
  if (row.calls == 0) {
    row = more;
    return;
  }
  row.calls += more.calls;
  widen(row.kernels, more.kernels);
  widen(row.memsets, more.memsets);
}

/// Also of calls without a kernel of a library, which make a row ambiguous where an equal call has some. Calls that
/// launch nothing are those on tensors of the host.
std::map<TracedCall, CalibratedCall> rows_by_kind(const WorkByCall& calls) {
  std::map<TracedCall, CalibratedCall> rows;
  for (const auto& [call, work] : calls) {
    if (!work.launches && work.library_kernels == 0) continue;
    add_calls(
        rows[{call->name, call->correlation}],
        {.calls = 1, .kernels = {work.library_kernels, work.library_kernels}, .memsets = {work.memsets, work.memsets}});
  }
  return rows;
}

std::int64_t kernels_without_operands(const WorkByCall& calls, const std::set<TracedCall>& unknown) {
  std::int64_t kernels = 0;
  for (const auto& [call, work] : calls) {
    if (unknown.contains({call->name, call->correlation})) kernels += work.library_kernels;
  }
  return kernels;
}

void add_rows(const TraceEvents& trace, const WorkByCall& calls, LibraryCalibration& calibration) {
  std::set<TracedCall> unknown;
  for (const auto& [kind, row] : rows_by_kind(calls)) {
    const auto& [name, place] = kind;
    const bool has_operands = place >= 1 && static_cast<std::size_t>(place) <= trace.operands.size();
    const auto key = has_operands
                         ? recorded_call_name(trace.names[name], trace.operands[static_cast<std::size_t>(place) - 1])
                         : std::nullopt;
    if (key) {
      add_calls(calibration.calls[*key], row);
    } else {
      unknown.insert(kind);
    }
  }
  std::erase_if(calibration.calls, [](const auto& row) { return row.second.kernels.most == 0; });
  calibration.left_out.without_operands = kernels_without_operands(calls, unknown);
}

std::string gpu_of(const TraceEvents& trace, const std::set<std::uint16_t>& devices) {
  std::set<std::string> models;
  for (const std::uint16_t device : devices) {
    const auto model = trace.devices.find(trace.device_ids[device]);
    models.insert(model == trace.devices.end() ? "" : model->second);
  }
  if (models.size() == 1 && !models.contains("") && !models.begin()->starts_with("emulated ")) return *models.begin();
  throw Error(ErrorKind::usage,
              fmt::format("{}: its library kernels ran on {}", trace.source,
                          models.contains("") ? "a GPU that the trace does not name (deviceProperties)"
                                              : fmt::format("{}", fmt::join(models, " and "))),
              "record a trace on one real GPU: the calibration is of its model");
}

/// 12040 -> "12.4".
std::string version_text(const std::optional<std::int64_t>& version) {
  constexpr std::int64_t newest = 1'000'000;  // a number beyond is none
  if (!version || *version <= 0 || *version > newest) return "";
  return fmt::format("{}.{}", *version / 1000, *version % 1000 / 10);
}

[[noreturn]] void refuse_no_calls(const TraceEvents& trace, const UncalibratedKernels& left_out) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: no library call with dtypes, sizes, strides and arguments ({} kernels of libraries lack "
                          "them, {} were launched outside of operators, {} by graphs)",
                          trace.source, left_out.without_operands, left_out.outside_operators, left_out.in_graphs),
              "record it on a GPU with record_shapes=True and a PyTorch that writes \"Input Strides\" and \"Concrete "
              "Inputs\" (2.2 or newer), or by stepgate profile CASE");
}

}  // namespace

LibraryCalibration calibration_of_trace(const TraceEvents& trace) {
  const StartedByCalls started(trace);
  LibraryCalibration calibration{.source = "",
                                 .gpu = "",
                                 .cuda_runtime = version_text(trace.cuda_runtime_version),
                                 .cuda_driver = version_text(trace.cuda_driver_version),
                                 .calls = {},
                                 .left_out = started.left_out()};
  add_rows(trace, started.calls(), calibration);
  if (calibration.calls.empty()) refuse_no_calls(trace, calibration.left_out);
  calibration.gpu = gpu_of(trace, started.devices());
  return calibration;
}

}  // namespace stepgate
