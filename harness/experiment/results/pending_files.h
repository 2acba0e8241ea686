// What a person may accept after review: the measured values in the form of a baseline.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/record/measurement.h"
#include "core/stored/baseline.h"
#include "core/verdict/judged_comparison.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// What a person may accept, before it is written: one baseline per scope that was measured and is worth accepting (no
/// baseline yet, something moved, or one more session of a runner class), or why values make none. Nothing for a case
/// that failed.
using PendingBaselines = std::vector<std::variant<Baseline, Finding>>;
PendingBaselines pending_baselines(const Project& project, const Measurement& measurement,
                                   const JudgedComparison& comparison);

struct PendingFiles {
  std::string first = {};                 ///< path of the first file written, "" where there is none
  std::vector<std::string> digests = {};  ///< of each file written
  std::vector<Finding> findings = {};     ///< why values make no baseline
};
PendingFiles write_pending_files(const Project& project, const PendingBaselines& pending);

/// Removes the pending file of the exact half where that half passes without a waiver and nothing in it is new: the
/// file holds values of an earlier run. The timed half that passes always has a new session.
void remove_settled_pending(const Project& project, const JudgedComparison& comparison);

/// What `baseline accept --new-metrics` takes.
struct NewMetricFiles {
  std::vector<std::filesystem::path> files = {};
  std::vector<std::string> without = {};  ///< cases whose verdicts pass, but whose files are gone or of another run
};

/// The pending files with that half that belong to the stored verdicts that choose a case (new_metric_cases.h), each
/// with the bytes that its verdict left. Files of other runs, programs and runner classes are never among them.
NewMetricFiles new_metric_files(const Project& project, TierChoice half);

/// Whether a pending file has values of that half. One that an older version wrote for a GPU may have both.
bool holds_half(const Baseline& pending, TierChoice half);

}  // namespace stepgate
