// Two stored measurements of the same case, one held against the other. Nothing is measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct ComparisonOptions {
  std::filesystem::path before;  ///< a measurement.json, or a folder of results
  std::filesystem::path after;
  TierChoice tier = TierChoice::all;
  std::vector<std::string> globs = {};  ///< cases of the two folders; empty: all
};

/// Compares two files, or two folders: of the folders every CASE/HALF/measurement.json that both have. Counts, bytes
/// and losses are judged by the rules of a stored baseline, except bytes that grew on too few processes. Times are
/// judged by the rules of a stored baseline with one session, so two measurements rarely decide them
/// (judge/rules/stored_rule.h). A notice names each file or half that only one side has. Throws Error(usage) if nothing
/// is left to compare, if both are the same file, or if they are of different cases or devices.
/// `project` is the one at hand. Without its manifest the default limits hold, and a notice says so.
JudgedRun compare_measurements(const Project& project, const ComparisonOptions& options, const Caller& caller);

}  // namespace stepgate
