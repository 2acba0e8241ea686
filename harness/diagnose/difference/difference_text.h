// The numbers of a difference as sentences. Files and pages carry them as they are.
#pragma once

#include <string>

#include "core/study/step_difference.h"

namespace stepgate {

/// "new", "more work", "the same work takes longer", ...: one clause on what the row's numbers mean.
std::string meaning_of(const DifferenceRow& row);

/// "explained +191 us of +205 us a step (93 %); the rest, +14.0 us, is ...".
std::string attribution_text(const StepDifference& difference);

}  // namespace stepgate
