// How a process ends that met an operator whose sizes an emulated GPU would have to compute.
#pragma once

#include "core/record/measurement.h"
#include "launch/process/child_process.h"

namespace stepgate {

/// The exit status of the emulated GPU for that. A test compares it with the emulator's.
inline constexpr int values_needed_status = 79;

/// Makes FailureKind::needs_values of the failure where the emulated GPU ended the process for that, with the sentence
/// that it said. Pure.
void add_need_of_values(const ProcessResult& result, ReplicateFailure& failure);

}  // namespace stepgate
