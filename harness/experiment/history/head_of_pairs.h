// The measured side of an A/B run, for a history: every process of the head build as one measurement.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/measurement.h"

namespace stepgate {

struct HeadOfPairs {
  Measurement measurement;  ///< the first process's facts, with the replicates of all
  std::string pairs;        ///< value of pair_fact (core/stored/history_pairs.h)
};

/// Folders CASE/ab with results of `ab`, sorted. Those of a plan folder are left out: its results lie elsewhere.
std::vector<std::filesystem::path> pair_results_below(const std::filesystem::path& folder);

/// Reads the head's processes of the exact half and of every pair. Throws Error(usage) where the run is not finished,
/// and where its nodes measured times under several keys; Error(measure) for a damaged file.
HeadOfPairs head_of_pairs(const std::filesystem::path& ab_folder);

/// Base, head or A/A copy of a pair, or of the exact half of an A/B run.
bool is_side_of_pairs(const std::filesystem::path& measurement_file);

}  // namespace stepgate
