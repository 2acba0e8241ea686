// The comparison of one case with its reference: the complete input of the verdict.
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

namespace stepgate {

/// The reference is a stored baseline, another build or another measurement. Parts that it does not have are absent.
struct Comparison {
  CaseValues current = {};
  std::optional<Baseline> portable = {};
  std::optional<Baseline> runner = {};
  std::optional<Baseline> device_exact = {};                  ///< of scope device: the exact half on "cuda"
  std::vector<FingerprintMismatch> portable_mismatches = {};  ///< between `portable`'s key and the measurement
  std::vector<FingerprintMismatch> runner_mismatches = {};
  std::vector<FingerprintMismatch> runner_changes = {};  ///< after which `runner`'s times decide nothing
  std::vector<FingerprintMismatch> device_exact_mismatches = {};
  bool base_ran = false;  ///< a base build or the first of two measurements was measured where this one was skipped
  /// True: the reference of the exact half was measured, in the place of a stored file. Its program may be older and
  /// record fewer facts, and a fact that it lacks is no difference.
  bool measured_reference = false;
  Policy policy = {};
  std::int64_t hypotheses = 1;  ///< M: gating timed metrics of the whole suite, including filtered cases
  bool judge_exact = true;      ///< tiers exact, bytes and numeric
  bool judge_timed = true;
  std::string device = "cpu";              ///< "cpu": exact tiers against `portable`; "cuda": against `device_exact`
  std::string today = {};                  ///< "2026-11-21", UTC: decides which waivers are still valid
  std::optional<PairedValues> pairs = {};  ///< present: they judge gating timed metrics, and stored sessions do not
  std::vector<FingerprintMismatch> pair_mismatches = {};  ///< between the processes of the two sides of `pairs`
  /// True if the exact baseline's bytes are one value per process of a base build that was measured interleaved in this
  /// run, and not the distinct values of a stored file. The range rule is valid only then (bytes_rule.h).
  bool interleaved_bytes = false;
  /// Present: processes of a base build that were measured interleaved with those of `current`. Metrics that the policy
  /// declares to vary are held against them (judge/verdict/varying_half.h).
  std::optional<CaseValues> interleaved_base = {};
  /// Present: the first of two measurements that were made one after the other. Their times are shown but not judged
  /// (times_without_pairs.h).
  std::optional<CaseValues> base_group = {};
  std::optional<LossTrajectories> trajectories = {};  ///< present: final_loss is judged (trajectory_rule.h)
};

/// nullptr if it is absent.
inline const Baseline* pointer_to(const std::optional<Baseline>& baseline) { return baseline ? &*baseline : nullptr; }

/// The reference of the exact half. nullptr if it is absent.
inline const Baseline* exact_reference(const Comparison& comparison) {
  return pointer_to(comparison.device == "cpu" ? comparison.portable : comparison.device_exact);
}

}  // namespace stepgate
