// The values of one call of an operator, as a stream holds them.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/values/operator_facts.h"
#include "emulator/values/random_place.h"

namespace stepgate::emulator {

/// All tensors are on the CPU: those of the device as views of its memory.
struct OperatorWork {
  c10::OperatorHandle op;
  const OperatorFacts& facts;
  Values arguments;
  RandomSource random = {};
  Values outputs = {};                          ///< the memory of new results; an undefined tensor takes none
  std::optional<Values> values = std::nullopt;  ///< where they are known already
};

/// Runs the operator once. What it writes in place it writes to the views. Throws what LibTorch throws.
Values computed(const OperatorWork& work);

/// Writes `values` to the outputs, in the outputs' types. Throws std::runtime_error where the sizes do not fit.
void store(const OperatorWork& work, const Values& values);

/// Both, in a CpuScope. Returns why it was not possible, "" for success.
std::string run(const OperatorWork& work);

/// The number that the operator's CUDA code reads: the rows of the first result, or the result where it is a bool.
std::int64_t answer_of(const Values& values);

}  // namespace stepgate::emulator
