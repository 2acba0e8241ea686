// The overload of an operator that a recorded call fits, and tensors and numbers to call it with.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

#include "emulator/fidelity/recorded_call.h"

namespace stepgate::fidelity {

struct PreparedCall {
  c10::OperatorHandle overload;
  torch::jit::Stack stack;
};

/// Absent where no overload has arguments of these kinds, or where it needs a value that the trace does not hold.
std::optional<PreparedCall> prepare(const RecordedCall& call);

}  // namespace stepgate::fidelity
