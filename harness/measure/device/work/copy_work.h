// What a copy within one device moves: values that take another dtype (a cast), or the same ones.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>

namespace stepgate {

enum class CopyKind { cast, same_dtype };

/// `inputs` are those of aten::copy_: target and source. Absent for a copy between two devices, which the copies of a
/// batch and of results count, and for one element: an optimizer in plain C++ makes such scalars by the dozen.
std::optional<CopyKind> copy_kind(c10::ArrayRef<const c10::IValue> inputs);

/// "float32 to bfloat16": of the same inputs, where they make a cast.
std::string cast_text(c10::ArrayRef<const c10::IValue> inputs);

}  // namespace stepgate
