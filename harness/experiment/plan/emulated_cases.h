// The cases that a run on an emulated GPU takes.
#pragma once

#include <string>

#include "core/record/measurement.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"

namespace stepgate {

/// Throws Error(usage) where a run without an emulated GPU has the class of one: its results would lie among those.
void refuse_emulated_class(const Project& project);

/// Leaves the cases for a GPU; notices say what the run leaves out. Throws Error(usage) where a case for the CPU is
/// named, and where no case is left. Does nothing where `project` is not emulated.
void keep_emulated_cases(const Project& project, const Selection& selection, MeasurableCases& chosen);

/// "" where `measurement` may be judged by the baselines of `runner_class`; else why not. Values of an emulated GPU are
/// never held against those of a machine, nor become their baseline, nor the reverse.
std::string why_of_another_gpu(const Measurement& measurement, const std::string& runner_class);

/// The class without which that measurement is not judged, as an option: "--device emulated:h100", "--runner-class ci".
/// The class is text of a file, so it is quoted for the shell.
std::string option_of_class(const Measurement& measurement);

}  // namespace stepgate
