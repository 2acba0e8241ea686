// The machine and the runner class of a run on an emulated GPU.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/stored/manifest.h"
#include "launch/emulated_device.h"

namespace stepgate {

/// "emulated-h100": the class of its results and baselines on every machine, since nothing of them depends on the
/// machine that emulates; with values "emulated-h100-values", since a case may go other ways with them.
std::string runner_class_of(const EmulatedDevice& device);

/// The device whose class this is, one of it: a class does not say how many. Absent for the class of a machine.
std::optional<EmulatedDevice> emulated_device_of_class(std::string_view runner_class);

/// The machine, with its folder of the build. Throws Error(usage) where the target emulated_gpu is not built, or was
/// built for another LibTorch than a program of a case for a GPU loads.
EmulatedGpu emulated_gpu_of(const Manifest& manifest, const EmulatedDevice& device);

}  // namespace stepgate
