// A sweep as a document: sweep.json (schemas/sweep.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "core/study/sweep.h"

namespace stepgate {

/// Throws Error(measure) naming the key of a number that is not finite.
std::string to_text(const Sweep& sweep);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key.
Sweep sweep_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
