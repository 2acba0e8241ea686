// The parameters that a case declares, as its program lists them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/stored/manifest.h"

namespace stepgate {

/// The parameters of the case with their defaults. Runs the program with --list --json; its output stays in `folder`.
/// Absent where the list does not have the case. Throws Error(measure) where the program does not list its cases,
/// Interruption where a signal came first.
std::optional<std::map<std::string, std::string>> listed_params(const ManifestCase& entry,
                                                                const std::filesystem::path& folder);

}  // namespace stepgate
