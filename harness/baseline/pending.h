// Measured baselines that are not accepted yet: <out>/pending/<class>/<case>.json or .exact.json. No symbolic link
// below <out> is followed: all functions throw Error(usage) naming it.
#pragma once

#include <filesystem>
#include <vector>

#include "baseline/baseline_path.h"
#include "core/stored/baseline.h"

namespace stepgate {

/// Writes atomically, in the canonical form, and returns the path. Throws Error(usage) for a malformed name.
std::filesystem::path write_pending(const std::filesystem::path& out_dir, const Baseline& baseline);

/// Removes the pending file of that name, where there is one.
void remove_pending(const std::filesystem::path& out_dir, const BaselineName& name);

/// Every pending file below `out_dir`, sorted.
std::vector<std::filesystem::path> pending_files(const std::filesystem::path& out_dir);

/// As read_baseline(), for a file that may lie below a folder named "pending".
Baseline read_pending_file(const std::filesystem::path& file);

/// Removes pending files. Throws Error(usage) for a file that is not below a folder named "pending".
void reject_pending(const std::vector<std::filesystem::path>& files);

}  // namespace stepgate
