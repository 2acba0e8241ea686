// Reads the baseline of a case from the tree under test.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/stored/baseline.h"

namespace stepgate {

/// Absent file -> nullopt. Throws Error(baseline), naming file and key, where it is damaged or belongs to another case
/// or runner class than its path says; Error(usage) for a malformed name.
std::optional<Baseline> find_baseline(const std::filesystem::path& root, const std::string& runner_class,
                                      const std::string& case_name);

/// Reads one file, wherever it lies. Throws Error(baseline) where it cannot be read or is damaged.
Baseline read_baseline(const std::filesystem::path& file);

}  // namespace stepgate
