#include "environment/gpu/nvml_session.h"

#include <fmt/format.h>

namespace stepgate::nvml {

int errno_of(int result) {
  switch (result) {
    case success:
      return 0;
    case no_permission:
      return EPERM;
    case not_supported:
    case function_not_found:
    case version_mismatch:
    case deprecated:
      return ENOTSUP;
    case not_found:
    case driver_not_loaded:
    case library_not_found:
    case gpu_is_lost:
    case gpu_not_found:
      return ENODEV;
    case invalid_argument:
    case frequency_not_supported:
      return EINVAL;
    default:
      return EIO;
  }
}

GpuOutcome Session::start() {
  // A library that cannot be shut down is not started.
  if (table_.shutdown.call == nullptr) return missing(table_.shutdown.name);
  GpuOutcome outcome = call(table_.init);
  started_ = outcome.code == 0;
  return outcome;
}

GpuOutcome Session::outcome_of(const char* function, int result) const {
  if (result == success) return {};
  const char* text = table_.error_text.call == nullptr ? nullptr : table_.error_text.call(result);
  return {errno_of(result), fmt::format("{}: {}", function, text == nullptr ? fmt::format("error {}", result) : text)};
}

GpuOutcome Session::missing(const char* function) {
  return {ENOTSUP, fmt::format("the driver's library has no {}", function)};
}

}  // namespace stepgate::nvml
