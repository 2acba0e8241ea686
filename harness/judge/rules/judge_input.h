// What the verdict on one case rests on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/fingerprint.h"
#include "core/stored/baseline.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"
#include "core/verdict/loss_trajectories.h"
#include "core/verdict/paired_values.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Everything that a verdict rests on. Borrows; nothing in here may die before judge_case returns.
struct JudgeInput {
  const CaseValues& current;
  const Baseline* portable = nullptr;                         ///< nullptr: there is none
  const Baseline* runner = nullptr;                           ///< nullptr: there is none
  std::vector<FingerprintMismatch> portable_mismatches = {};  ///< of `portable`'s key with what was found
  std::vector<FingerprintMismatch> runner_mismatches = {};
  const Policy& policy;
  std::int64_t hypotheses = 1;  ///< M: gating timed metrics of the whole suite, whatever was filtered
  bool judge_exact = true;      ///< tiers exact, bytes and numeric
  bool judge_timed = true;
  std::string device = "cpu";           ///< "cpu": exact tiers against `portable`; "cuda": against `runner`
  std::string today = {};               ///< "2026-11-21", UTC: decides which waivers still hold
  const PairedValues* pairs = nullptr;  ///< set: gating timed metrics are judged by these, not by stored sessions
  std::vector<FingerprintMismatch> pair_mismatches = {};  ///< between the processes of the two sides of `pairs`
  /// The exact baseline's bytes are one value per process of a base build measured interleaved just now, not the
  /// distinct values of a stored file: only then does the range rule hold (bytes_rule.h).
  bool interleaved_bytes = false;
  /// Set: the first of two measurements that were made one after the other. Times are shown and not decided
  /// (times_without_pairs.h).
  const CaseValues* base_group = nullptr;
  const LossTrajectories* trajectories = nullptr;  ///< set: final_loss is judged (trajectory_rule.h)
};

}  // namespace stepgate
