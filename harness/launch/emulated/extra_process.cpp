#include "launch/emulated/extra_process.h"

#include <fmt/format.h>

namespace stepgate {

ReplicateFailure failure_of_extra(ReplicateFailure failure, std::string_view what) {
  const char* then = "";
  switch (failure.kind) {
    case FailureKind::infrastructure:
      then = "; it was not repeated";
      [[fallthrough]];
    case FailureKind::unavailable:
    case FailureKind::too_few_gpus:
    case FailureKind::gpu_too_small:
      failure.kind = FailureKind::exited_nonzero;
      break;
    default:
      break;
  }
  failure.message = fmt::format("{}: {}{}", what, failure.message, then);
  return failure;
}

}  // namespace stepgate
