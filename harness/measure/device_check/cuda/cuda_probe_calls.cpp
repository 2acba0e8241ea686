#include "measure/device_check/cuda/cuda_probe_calls.h"

#include <c10/cuda/CUDAFunctions.h>

#include <memory>
#include <string>
#include <variant>

#include "measure/device/cupti/call_counter.h"
#include "measure/device/cupti/call_table.h"
#include "measure/device/cupti/cupti_library.h"
#include "measure/device_check/cuda/cuda_probe_training.h"

namespace stepgate {
namespace {

cupti::CallTotals calls_during(const std::function<void()>& body) {
  const cupti::OpenedLibrary library = cupti::open_library();
  if (const auto* reason = std::get_if<std::string>(&library)) throw ProbeRefusal(*reason);
  cupti::CallCounter counter(std::get<std::shared_ptr<const cupti::Library>>(library));
  if (const std::string refusal = counter.start(); !refusal.empty()) throw ProbeRefusal(refusal);
  body();
  counter.stop();
  return counter.totals();
}

/// Math libraries launch by cuLaunchKernel and its kind, past the runtime.
std::int64_t launches_by_driver(const cupti::CallTotals& totals) {
  std::int64_t launches = 0;
  for (const auto& [call, count] : totals.by_call.at(std::string(metric_of(cupti::CallKind::kernel)))) {
    if (call.starts_with("cuLaunch")) launches += count;
  }
  return launches;
}

}  // namespace

std::int64_t cuda_waits_during(const std::function<void()>& body) {
  const cupti::CallTotals totals = calls_during(body);
  return total_of(totals, std::string(cupti::sync_metric)) +
         total_of(totals, std::string(metric_of(cupti::CallKind::allocation)));
}

ProbeWork cuda_step_counted_by_cupti() {
  CudaProbeTraining training;
  training.step();
  c10::cuda::device_synchronize();
  const cupti::CallTotals totals = calls_during([&] {
    training.step();
    c10::cuda::device_synchronize();
  });
  const auto total = [&](cupti::CallKind kind) { return total_of(totals, std::string(metric_of(kind))); };
  return {.kernels = total(cupti::CallKind::kernel),
          .memcpys = total(cupti::CallKind::memcpy),
          .memsets = total(cupti::CallKind::memset),
          .driver_kernels = launches_by_driver(totals)};
}

}  // namespace stepgate
