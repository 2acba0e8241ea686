// The work of `stepgate compare`: two measurements that lie in files, one held against the other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/verdict/run_report.h"
#include "experiment/context.h"

namespace stepgate {

/// The same case from both sides.
struct MeasuredTwice {
  Measurement base;
  Measurement head;
  std::filesystem::path base_file;
  std::filesystem::path head_file;
  std::string tier;  ///< what both measured and --tier asks for: "exact", "timed" or "all"
};

/// Of two files, or of two folders: of these every CASE/TIER/measurement.json that both have. What only one side has,
/// be it a file or a half, is said on stderr. Throws Error(usage) where nothing is left to compare, where both are one
/// and the same, or of different cases or devices.
std::vector<MeasuredTwice> measured_twice(const Options& options);

/// A context for results without their build: policies and the suite's size are taken from the manifest where one is at
/// hand, else the defaults hold, which is said on stderr, and the suite is what was measured twice.
Context context_without_build(const Options& options, const std::vector<MeasuredTwice>& all);

/// Head against base. Counts, bytes and losses by the rules of a stored file, but for bytes that grew on too few
/// processes; times by those of a stored file with one session, so two measurements rarely decide them
/// (judge/stored_rule.h).
Outcome compare_measurements(const Context& context, const ManifestCase& entry, const MeasuredTwice& twice);

}  // namespace stepgate
