#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

#include "core/kernels/confirmed_operators.h"
#include "core/kernels/launch_name.h"
#include "core/record/fingerprint.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// Those that launch LibTorch's own kernels in any boundary.
std::set<std::string> launching_operators(const WorkCounts& counts) {
  std::set<std::string> operators;
  const auto boundaries = counts.device_calls.find(std::string(own_kernels_metric));
  if (boundaries == counts.device_calls.end()) return operators;
  for (const auto& [boundary, launches] : boundaries->second) {
    for (const auto& [launch, kernels] : launches) operators.emplace(operator_of_launch(launch));
  }
  operators.erase("");
  return operators;
}

}  // namespace

std::vector<Finding> explain_unconfirmed_operators(const JudgedComparison& input) {
  if (!is_on_emulated_gpu(input.current.exact_fingerprint)) return {};
  const std::set<std::string> launching = launching_operators(input.current.counts);
  std::set<std::string> unconfirmed = launching;
  std::erase_if(unconfirmed, [](const std::string& name) { return is_confirmed_operator(name); });
  if (unconfirmed.empty()) return {};
  return {{.code = FindingCode::operators_unconfirmed,
           .severity = Severity::note,
           .message =
               fmt::format("emulated GPU: no trace of a real GPU has confirmed the kernels of {} of {} operators: {}",
                           unconfirmed.size(), launching.size(), fmt::join(unconfirmed, ", ")),
           .advice = "LibTorch's own host code decides them on the emulated GPU too; a run on a real GPU of the model "
                     "shows whether own_kernels_per_step is the same there.",
           .metric = std::string(own_kernels_metric)}};
}

}  // namespace stepgate
