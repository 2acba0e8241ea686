// The cases that a run on an emulated GPU takes.
#pragma once

#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"

namespace stepgate {

/// Throws Error(usage) where a run without an emulated GPU has the class of one: its results would lie among those.
void refuse_emulated_class(const Project& project);

/// Leaves the cases for a GPU; notices say what the run leaves out. Throws Error(usage) where a case for the CPU is
/// named, and where no case is left. Does nothing where `project` is not emulated.
void keep_emulated_cases(const Project& project, const Selection& selection, MeasurableCases& chosen);

}  // namespace stepgate
