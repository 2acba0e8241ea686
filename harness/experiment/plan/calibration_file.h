// The calibration that a run on an emulated GPU is judged with.
#pragma once

#include <filesystem>
#include <string>

#include "core/stored/library_calibration.h"

namespace stepgate {

/// Reads the file; its path is the calibration's source. `runner_class` is that of the run. Throws Error(usage) naming
/// the file where it is missing or malformed, where the run has no emulated GPU, and where the file is of another
/// model.
LibraryCalibration read_calibration(const std::filesystem::path& file, const std::string& runner_class);

/// Whether the name of a real GPU, "NVIDIA H100 80GB HBM3", is one of the emulated model "h100": as a word, so that an
/// L40S is no L4.
bool is_of_model(const std::string& gpu, const std::string& model);

}  // namespace stepgate
