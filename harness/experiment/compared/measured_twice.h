// The measurements of two results folders, matched case by case.
#pragma once

#include <filesystem>
#include <vector>

#include "core/record/measurement.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// The same case from both sides.
struct MeasuredTwice {
  Measurement base;
  Measurement head;
  std::filesystem::path base_file;
  std::filesystem::path head_file;
  TierChoice tier = TierChoice::all;  ///< what both measured and is wanted
};

struct MatchedMeasurements {
  std::vector<MeasuredTwice> matched;
  std::vector<Notice> notices;  ///< what only one side has
};

/// Matches two files, or two folders. Throws Error(usage) if one is missing, both are the same, one is a file and the
/// other a folder, or two files are of different cases or devices.
MatchedMeasurements match_measurements(const std::filesystem::path& base, const std::filesystem::path& head,
                                       TierChoice wanted);

}  // namespace stepgate
