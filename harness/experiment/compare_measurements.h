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

/// Of two files, or of two folders: of these every CASE/TIER/measurement.json that both have. Counts, bytes and losses
/// are judged by the rules of a stored baseline, but for bytes that grew on too few processes; times by those of a
/// stored baseline with one session, so two measurements rarely decide them (judge/rules/stored_rule.h). What only one
/// side has, be it a file or a half, is told. Throws Error(usage) where nothing is left to compare, where both are one
/// and the same, or of different cases or devices.
/// `project` is the one at hand: without its manifest the default limits hold, which is told.
JudgedRun compare_measurements(const Project& project, const ComparisonOptions& options, const Caller& caller);

}  // namespace stepgate
