// Reads a case's baseline from the tree under test.
#pragma once

#include <filesystem>
#include <optional>

#include "baseline/baseline_path.h"
#include "core/stored/baseline.h"

namespace stepgate {

/// nullopt if there is no file. Throws Error(baseline), naming file and key, if the file is damaged, if its key is
/// empty, if its path belongs to another case, runner class or scope, or if a symbolic link lies on its way below
/// `root`; Error(usage) for a malformed name.
std::optional<Baseline> find_baseline(const std::filesystem::path& root, const BaselineName& name);

/// Reads a file at any path. Throws Error(baseline) if it cannot be read or is damaged, or if its key is empty.
Baseline read_baseline(const std::filesystem::path& file);

}  // namespace stepgate
