// The difference of two builds as a document: difference.json (schemas/difference.schema.json).
#pragma once

#include <string>

#include "core/study/step_difference.h"

namespace stepgate {

/// Throws Error(measure) naming the key of a number that is not finite.
std::string to_text(const StepDifference& difference);

}  // namespace stepgate
