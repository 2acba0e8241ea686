#include "core/stored/calibrated_sum.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/kernels/launch_name.h"

namespace stepgate {
namespace {

using Steps = std::vector<std::int64_t>;

const Steps* steps_of(const CountedKernels& counted, std::string_view metric) {
  const auto found = counted.per_step.find(std::string(metric));
  return found == counted.per_step.end() ? nullptr : &found->second;
}

double total_of(const Steps& steps) { return std::accumulate(steps.begin(), steps.end(), 0.0); }

/// Over all boundaries.
std::map<std::string, double> library_calls_by_name(const CountedKernels& counted) {
  std::map<std::string, double> all;
  const auto boundaries = counted.device_calls.find(std::string(library_calls_metric));
  if (boundaries == counted.device_calls.end()) return all;
  for (const auto& [boundary, calls] : boundaries->second) {
    for (const auto& [call, number] : calls) all[call] += static_cast<double>(number);
  }
  std::erase_if(all, [](const auto& call) { return call.second == 0; });
  return all;
}

/// Names are totals over the steps; where they are those of other steps or ranks, nothing may be added up.
std::string why_unknown(const Steps* own, const Steps* library, const std::map<std::string, double>& calls) {
  if (own == nullptr || library == nullptr || own->empty() || own->size() != library->size())
    return "own kernels and library calls were not counted apart";
  double named = 0;
  for (const auto& [call, number] : calls) named += number;
  return named == total_of(*library) ? "" : "the names of its library calls do not add up to their number";
}

std::string ambiguous_text(const std::string& call, const CalibratedCall& row) {
  return call + " (equal calls started " + std::to_string(row.kernels.least) + " to " +
         std::to_string(row.kernels.most) + " kernels)";
}

void add_calls(const LibraryCalibration& calibration, const std::map<std::string, double>& calls, CalibratedSum& sum) {
  for (const auto& [call, number] : calls) {
    const auto row = calibration.calls.find(calibration_key(call));
    if (row == calibration.calls.end()) {
      sum.missing.push_back(call);
    } else if (row->second.is_ambiguous()) {
      sum.missing.push_back(ambiguous_text(call, row->second));
    } else {
      sum.kernels += number * static_cast<double>(row->second.kernels.most);
      sum.memsets += number * static_cast<double>(row->second.memsets.most);
    }
  }
}

}  // namespace

CalibratedSum calibrated_sum(const LibraryCalibration& calibration, const CountedKernels& counted) {
  const Steps* own = steps_of(counted, own_kernels_metric);
  const auto calls = library_calls_by_name(counted);
  CalibratedSum sum;
  sum.unknown = why_unknown(own, steps_of(counted, library_calls_metric), calls);
  if (!sum.unknown.empty()) return sum;
  sum.steps = static_cast<double>(own->size());
  sum.kernels = total_of(*own);
  add_calls(calibration, calls, sum);
  return sum;
}

std::string name_of_calibration(const LibraryCalibration& calibration) {
  std::string text = calibration.source + " (" + calibration.gpu;
  if (!calibration.cuda_runtime.empty()) text += ", CUDA " + calibration.cuda_runtime;
  return text + ")";
}

}  // namespace stepgate
