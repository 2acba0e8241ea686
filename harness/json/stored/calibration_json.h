// The file of a calibration (core/stored/library_calibration.h).
#pragma once

#include <string>
#include <string_view>

#include "core/stored/library_calibration.h"

namespace stepgate {

std::string to_text(const LibraryCalibration& calibration);

/// Throws Error(usage) naming `source` and the key of a text that is malformed, names no GPU, has no call or a number
/// that no call has, or says something else of an ambiguous call than that it is not used.
LibraryCalibration calibration_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
