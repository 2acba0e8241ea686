// A run on an emulated GPU: its machine, its runner class, and the cases that it takes.
#pragma once

#include <string>

#include "core/stored/manifest.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"
#include "launch/emulated_device.h"

namespace stepgate {

/// "emulated-h100": the class of its results and baselines on every machine, since nothing of them depends on the
/// machine that emulates.
std::string runner_class_of(const EmulatedDevice& device);

/// The machine, with its folder of the build. Throws Error(usage) where the target emulated_gpu is not built.
EmulatedGpu emulated_gpu_of(const Manifest& manifest, const EmulatedDevice& device);

/// Throws Error(usage) where a run without an emulated GPU has the class of one: its results would lie among those.
void refuse_emulated_class(const Project& project);

/// Leaves the cases for a GPU; notices say what the run leaves out. Throws Error(usage) where a case for the CPU is
/// named, and where no case is left. Does nothing where `project` is not emulated.
void keep_emulated_cases(const Project& project, const Selection& selection, MeasurableCases& chosen);

}  // namespace stepgate
