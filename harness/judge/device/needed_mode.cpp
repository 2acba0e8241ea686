#include "judge/device/needed_mode.h"

namespace stepgate {

CaseMode needed_mode(const Measurement& measurement) {
  bool counted = false;
  const Replicate* failed = nullptr;
  for (const Replicate& replicate : measurement.replicates) {
    if (failed == nullptr && counts_as_failed(replicate)) failed = &replicate;
    counted = counted || (replicate.group == Group::exact && replicate.record);
  }
  if (failed != nullptr) {
    const bool values = failed->failure->kind == FailureKind::needs_values;
    return {measurement.case_name, values ? NeededMode::values : NeededMode::unknown, failed->failure->message};
  }
  if (!counted) return {measurement.case_name, NeededMode::unknown, "nothing was counted"};
  return {measurement.case_name, NeededMode::counts};
}

}  // namespace stepgate
