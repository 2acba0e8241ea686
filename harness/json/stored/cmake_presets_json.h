// The binary folders that CMake presets name. The files are CMake's, so what is not understood is left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

/// Binary folders of the configure presets of `documents` (CMakePresets.json, CMakeUserPresets.json), in their order,
/// absolute, each once. `source` is the folder of the files. Follows `inherits`, and expands ${sourceDir},
/// ${sourceParentDir}, ${sourceDirName} and ${presetName}; a preset with another macro is left out, and so is a
/// document that is not JSON.
std::vector<std::filesystem::path> preset_binary_folders(const std::vector<std::string>& documents,
                                                         const std::filesystem::path& source);

}  // namespace stepgate
