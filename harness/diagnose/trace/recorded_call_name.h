// By which name does a record know a library call of a trace?
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/study/recorded_operands.h"

namespace stepgate {

/// calibration_key() of the call: the profiler's words for dtypes and numbers become those of a record. Absent where
/// the trace lacks sizes, strides or arguments of one, or holds a list of tensors, whose dtypes no trace has.
std::optional<std::string> recorded_call_name(std::string_view op, const RecordedOperands& operands);

}  // namespace stepgate
