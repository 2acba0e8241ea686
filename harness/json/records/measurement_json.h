// A measurement as a document (schemas/measurement.schema.json): what `run` writes and `check` reads.
#pragma once

#include <string>
#include <string_view>

#include "core/record/measurement.h"

namespace stepgate {

/// Throws Error(measure) for a non-finite number outside losses and gradient norms.
std::string to_text(const Measurement& measurement);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key, also for a replicate with neither record
/// nor failure.
Measurement measurement_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
