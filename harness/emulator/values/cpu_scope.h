// The state of a thread while it computes values.
#pragma once

#include <ATen/core/grad_mode.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace stepgate::emulator {

/// Values run wherever a thread waits for a device: in a backward, in an operator under a profiler, under autocast. In
/// this scope operators run without any of these, on one thread, so that no profiler counts them and sums have one
/// order.
class CpuScope {
 public:
  CpuScope();
  ~CpuScope();
  CpuScope(const CpuScope&) = delete;
  CpuScope& operator=(const CpuScope&) = delete;

 private:
  at::DisableRecordFunctionGuard unrecorded_;
  c10::impl::ForceDispatchKeyGuard keys_;
  c10::NoGradGuard no_gradient_;
  int threads_before_ = 1;
};

/// The instructions of the portable half (docs/design/measurement.md): AVX2 for LibTorch and oneDNN, where the CPU has
/// it and nothing else is asked for. Called when this library is opened. Where LibTorch has run an operator before
/// that, its instructions stay.
void pin_instructions();

}  // namespace stepgate::emulator
