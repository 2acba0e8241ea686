// `stepgate doctor --device --calibration FILE --trace TRACE`: what the file then holds.
#pragma once

#include <filesystem>

namespace stepgate {

/// Writes the calibration and prints what it holds, and what it cannot say; with `json` the document itself. 0.
int doctor_calibration(const std::filesystem::path& trace, const std::filesystem::path& file, bool json);

}  // namespace stepgate
