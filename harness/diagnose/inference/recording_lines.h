// Where in the user's code an inference case computes as in training.
#pragma once

#include <vector>

#include "core/code_place.h"
#include "core/record/observed_work.h"

namespace stepgate {

/// The innermost call below which every operator that saves something for a backward runs: the guard is missing around
/// it. Where there is no single one, the lines that save, most bytes first. Empty where no place is known.
std::vector<SourceFrame> recording_lines(const ObservedWork& work);

/// The lines of dropout and normalisations that were told to train, most calls first.
std::vector<SourceFrame> training_lines(const ObservedWork& work);

}  // namespace stepgate
