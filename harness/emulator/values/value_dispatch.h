// Each operator of LibTorch with tensors of a device also runs on the CPU, over the memory of that device.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace stepgate::emulator {

/// The key whose fallback sees each operator after automatic differentiation and before the kernels for devices.
/// LibTorch has no kernel for it.
inline constexpr c10::DispatchKey value_key = c10::DispatchKey::Fake;

/// Runs the operator's CUDA code, which allocates its results and queues kernels that do nothing. Then queues its
/// values on the same stream, so that they run at the end of these kernels.
void run_with_values(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

/// Makes operators of the calling thread pass run_with_values().
void watch_thread();

}  // namespace stepgate::emulator
