#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/stored/calibrated_sum.h"
#include "core/text/number_format.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A case has tens of shapes, and one trace adds all of them.
constexpr std::size_t named_missing_calls = 3;
constexpr const char* calibrated_metric = "kernels_per_step";

Finding calibration_finding(FindingCode code, std::string message, std::string advice) {
  return {.code = code,
          .severity = Severity::note,
          .message = std::move(message),
          .advice = std::move(advice),
          .metric = calibrated_metric};
}

std::string few_of(const std::set<std::string>& calls) {
  std::vector<std::string> few(calls.begin(), calls.end());
  few.resize(std::min(few.size(), named_missing_calls));
  const std::size_t more = calls.size() - few.size();
  return fmt::format("{}{}", fmt::join(few, "; "), more > 0 ? fmt::format(" (and {} more)", more) : "");
}

Finding incomplete(const LibraryCalibration& calibration, const std::set<std::string>& missing) {
  return calibration_finding(
      FindingCode::calibration_incomplete,
      fmt::format("{} has no kernels of {} of this case, so {} is judged without it: {}",
                  name_of_calibration(calibration), counted(missing.size(), "library call"), calibrated_metric,
                  few_of(missing)),
      "record a trace of both sides on that GPU (stepgate profile CASE), then: stepgate doctor --device --calibration "
      "FILE --trace TRACE");
}

}  // namespace

std::vector<Finding> explain_calibration(const JudgedComparison& input) {
  if (!input.calibration) return {};
  const LibraryCalibration& calibration = *input.calibration;
  const WorkCounts& counts = input.current.counts;
  std::vector<CalibratedSum> sides = {calibrated_sum(calibration, {counts.per_step, counts.device_calls})};
  if (input.exact) sides.push_back(calibrated_sum(calibration, {input.exact->exact, input.exact->device_calls}));
  std::set<std::string> missing;
  for (const CalibratedSum& side : sides) {
    if (!side.unknown.empty()) {
      return {calibration_finding(
          FindingCode::calibration_incomplete,
          fmt::format("{} says nothing here: {}", name_of_calibration(calibration), side.unknown),
          "measure again, and accept the baseline again where it is older than this version of stepgate.")};
    }
    missing.insert(side.missing.begin(), side.missing.end());
  }
  if (!missing.empty()) return {incomplete(calibration, missing)};
  return {calibration_finding(
      FindingCode::sum_calibrated,
      fmt::format("{} is calibrated by {}: {:g} a step there, beside {:g} memsets of libraries", calibrated_metric,
                  name_of_calibration(calibration), sides.front().kernels_per_step(), sides.front().memsets_per_step()),
      "It is the sum of that GPU for these library calls alone; own kernels and library calls gate as without it.")};
}

}  // namespace stepgate
