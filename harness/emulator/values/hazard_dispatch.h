// Tells what each operator of LibTorch reads and writes, where the process looks for hazards.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include "emulator/values/value_dispatch.h"

namespace stepgate::emulator {

/// Runs the operator by `run`, and tells the machine of its accesses when it is over. Where it throws, its kernels
/// count as without accesses.
using OperatorRun = void (*)(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
void run_with_accesses(OperatorRun run, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                       torch::jit::Stack* stack);

/// Runs the operator's kernels alone.
void run_without_values(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

}  // namespace stepgate::emulator
