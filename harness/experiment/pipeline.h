// The way of one case through the house, on one screen: measure, find baseline, judge, diagnose, remember.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/record/fingerprint.h"
#include "core/record/measurement.h"
#include "core/stored/baseline.h"
#include "core/stored/manifest.h"
#include "core/verdict/case_values.h"
#include "core/verdict/loss_trajectories.h"
#include "core/verdict/paired_values.h"
#include "core/verdict/run_report.h"
#include "experiment/context.h"
#include "launch/measure_case.h"

namespace stepgate {

/// <out>/<case>/<tier>: where the files of one half of the gate of one case lie.
std::filesystem::path result_folder(const Context& context, const std::string& case_name);

/// What the launcher is asked for, for this tier and these options.
LaunchRequest request_for(const Context& context, const ManifestCase& entry);

/// Starts the fresh processes of `entry` and writes <result folder>/measurement.json, also after an interruption.
Measurement measure(const Context& context, const ManifestCase& entry, const LaunchCallbacks& callbacks);

/// Whether this run measures that half, "exact" or "timed", of the case.
bool wants(const Context& context, const ManifestCase& entry, std::string_view tier);

/// What a measurement is held against: stored files, or a base build measured a moment ago.
struct OtherSide {
  std::optional<Baseline> portable;
  std::optional<Baseline> runner;
  std::optional<PairedValues> pairs = std::nullopt;             ///< decide the timed half where there are any
  std::optional<LossTrajectories> trajectories = std::nullopt;  ///< of both builds, where they were asked for
  std::optional<CaseValues> base_group = std::nullopt;          ///< see JudgeInput
  bool interleaved_bytes = false;                               ///< see JudgeInput
  std::vector<FingerprintMismatch> pair_mismatches = {};  ///< what differs between the processes of the two builds
};

OtherSide stored_side(const Context& context, const ManifestCase& entry);

CaseVerdict judge_against(const Context& context, const ManifestCase& entry, const CaseValues& values,
                          const OtherSide& other);

/// judge_against() with its findings; advice, failures and pending files are the caller's.
Outcome explain(const Context& context, const ManifestCase& entry, const CaseValues& values, const OtherSide& other);

/// Everything after the measurement: the same for `gate` (just measured) and `check` (read from a file).
/// Writes verdict.json, junit.xml and, where there is something to accept, pending files.
Outcome judge_and_explain(const Context& context, const ManifestCase& entry, const Measurement& measurement);

}  // namespace stepgate
