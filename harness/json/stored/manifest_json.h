// Reads the manifest (schemas/manifest.schema.json). CMake writes it as stepgate-manifest.json.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/stored/manifest.h"

namespace stepgate {

/// Relative programs, policy_root, baseline_root and data_root start at the folder of `path`, the manifest's file.
/// Strict: throws Error(usage) naming file and key for unknown keys, names of another form (core/text/case_name.h), an
/// unknown device, a timeout_s of 0 or less, gpus that do not fit the device, and a duplicate case.
Manifest manifest_from_text(std::string_view text, const std::filesystem::path& path);

}  // namespace stepgate
