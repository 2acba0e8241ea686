// `stepgate doctor --device --calibration FILE --trace TRACE`.
#pragma once

#include <filesystem>

#include "core/stored/library_calibration.h"

namespace stepgate {

/// Makes a calibration from a trace of PyTorch's profiler and writes it to `file`, whole or not at all; nothing needs a
/// GPU. Throws Error(usage) naming the trace where it cannot be read or shows no library call
/// (diagnose/trace/calibration_of_trace.h), Error(measure) where the file cannot be written.
LibraryCalibration write_calibration(const std::filesystem::path& trace, const std::filesystem::path& file);

}  // namespace stepgate
