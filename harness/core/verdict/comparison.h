// One case held against its reference: all that its verdict and the explanation of it rest on.
#pragma once

#include <cstdint>
#include <optional>
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

/// The reference is a stored baseline, or a build or a measurement in the place of one. What it lacks is absent.
struct Comparison {
  CaseValues current = {};
  std::optional<Baseline> portable = {};
  std::optional<Baseline> runner = {};
  std::vector<FingerprintMismatch> portable_mismatches = {};  ///< of `portable`'s key with what was found
  std::vector<FingerprintMismatch> runner_mismatches = {};
  Policy policy = {};
  std::int64_t hypotheses = 1;  ///< M: gating timed metrics of the whole suite, whatever was filtered
  bool judge_exact = true;      ///< tiers exact, bytes and numeric
  bool judge_timed = true;
  std::string device = "cpu";              ///< "cpu": exact tiers against `portable`; "cuda": against `runner`
  std::string today = {};                  ///< "2026-11-21", UTC: decides which waivers still hold
  std::optional<PairedValues> pairs = {};  ///< present: they judge gating timed metrics, and stored sessions do not
  std::vector<FingerprintMismatch> pair_mismatches = {};  ///< between the processes of the two sides of `pairs`
  /// The exact baseline's bytes are one value per process of a base build measured interleaved just now, not the
  /// distinct values of a stored file: only then does the range rule hold (bytes_rule.h).
  bool interleaved_bytes = false;
  /// Present: the first of two measurements that were made one after the other. Times are shown and not decided
  /// (times_without_pairs.h).
  std::optional<CaseValues> base_group = {};
  std::optional<LossTrajectories> trajectories = {};  ///< present: final_loss is judged (trajectory_rule.h)
  CaseVerdict verdict = {};                           ///< once judge_case() gave it; diagnose() explains it
};

/// Null where it is absent.
inline const Baseline* pointer_to(const std::optional<Baseline>& baseline) { return baseline ? &*baseline : nullptr; }

}  // namespace stepgate
