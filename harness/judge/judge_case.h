// The verdict on one case: the only way from values and baselines to a status.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/baseline.h"
#include "core/case_values.h"
#include "core/fingerprint.h"
#include "core/loss_trajectories.h"
#include "core/paired_values.h"
#include "core/policy.h"
#include "core/verdict.h"

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
  /// Set: the other of two measurements, whose session is the only one that `runner` has. Nothing was interleaved and
  /// no more sessions will come, so what is told beside a timed verdict is another (two_groups.h).
  const CaseValues* base_group = nullptr;
  const LossTrajectories* trajectories = nullptr;  ///< set: final_loss is judged (trajectory_rule.h)
};

/// Judges every metric of the requested tiers; the case takes the worst status of its gating metrics
/// (DESIGN section 6). Metrics come back worst first, gating before others.
///
/// Case reasons of its own: "unavailable" (skipped), "replicate-failed", "waiver-expired",
/// "nothing-measured". Metric reasons:
///   any tier  "over-budget", "no-baseline", "incompatible-baseline", "new-metric", "metric-missing", "waived"
///   exact     "equal", "within-limit", "above-limit", "below-baseline", "replicates-disagree", "changed"
///   bytes     the same, "bytes-vary", "leak"; of two measurements "too-few-processes"
///   numeric   "equal", "within-limit", "numerics-changed", "non-finite", "baseline-non-finite";
///             final_loss besides "seeds-differ", "steps-differ", "too-few-seeds", "constant-differences",
///             "interval-too-wide"
///   timed     "within-limit", "faster", "regressed-unconfirmed", "beyond-coarse-limit", "interval-too-wide",
///             "few-sessions", "reference-moved", "no-reference", "not-steady", "too-few-clean-replicates",
///             "not-positive", "budget-undecided", "boundary-slower", "not-significant", "not-tested"
///   pairs     "within-limit", "faster", "regressed", "control-moved", "more-pairs-needed" (undecided, not finished),
///             "interval-too-wide", "too-few-pairs", "autocorrelated-differences", "drifting-differences", "two-modes",
///             "constant-differences", "too-few-clean-pairs", "no-pairs", "not-steady", "not-positive", and of
///             boundaries as above
/// Throws Error(usage) naming the key where the policy or a date is outside its range.
CaseVerdict judge_case(const JudgeInput& input);

/// Gating timed metrics that a case has at most: M = this times the cases of the manifest.
std::int64_t gating_timed_metrics_per_case();

}  // namespace stepgate
