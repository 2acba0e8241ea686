// The comparison of one case with its reference: the complete input of the verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/device.h"
#include "core/record/fingerprint.h"
#include "core/stored/baseline.h"
#include "core/stored/library_calibration.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"
#include "core/verdict/limits/limit_verdict.h"
#include "core/verdict/losses/loss_trajectories.h"
#include "core/verdict/paired_values.h"

namespace stepgate {

/// Baselines in files, and nothing else.
struct StoredReference {};

/// A base build: its processes and those of the head were measured in pairs.
struct PairedReference {
  std::optional<PairedValues> pairs = {};  ///< present: they judge gating timed metrics, and stored sessions do not
  std::vector<FingerprintMismatch> mismatches = {};  ///< between the processes of the two sides of `pairs`
  Fingerprint switches = {};                         ///< Baseline::switches of the base's timed processes
  bool ran = false;                                  ///< it was measured where the head was skipped
  bool holds_exact = false;  ///< the exact half is compared with it; false: with the file, where pairs confirm a red
  /// Present: its exact processes were measured interleaved with those of the head. The exact baseline has then the
  /// bytes of each process, as the range rule needs them (bytes_rule.h), and metrics that the policy declares to vary
  /// are held against these processes (judge/verdict/varying_half.h).
  std::optional<CaseValues> interleaved = {};
  std::map<EvidenceKey, double> own_evidence = {};     ///< CaseValues::own_evidence of the base
  std::optional<BackgroundCpu> exact_background = {};  ///< CaseValues::exact_background of the base
  std::optional<LossTrajectories> trajectories = {};   ///< present: final_loss is judged (trajectory_rule.h)
  std::vector<ProcessLosses> losses = {};              ///< of its processes, as CaseValues::losses
  std::vector<StepTrend> trends = {};                  ///< of the base's timed processes, as CaseValues::step_trends
  std::vector<SlowRequests> slow_requests = {};        ///< likewise, as CaseValues::slow_requests
  /// What the processes that were measured before the pairs said of the limits. It stands where pairs give no value.
  std::vector<LimitVerdict> limits_before = {};
};

/// The first of two measurements that were made one after the other. Its times are shown but not judged
/// (times_without_pairs.h).
struct EarlierMeasurement {
  std::optional<CaseValues> values = {};  ///< absent where a process of either one failed
  bool ran = false;                       ///< it was measured where the second was skipped
};

/// Each half has a baseline, whatever the reference is: one from a file, or one made of what was measured.
struct Comparison {
  CaseValues current = {};
  std::optional<Baseline> exact = {};  ///< its scope is portable on a CPU, device on a GPU
  std::optional<Baseline> runner = {};
  std::vector<FingerprintMismatch> exact_mismatches = {};  ///< between its key and the measurement
  std::vector<FingerprintMismatch> runner_mismatches = {};
  std::vector<FingerprintMismatch> runner_changes = {};  ///< after which `runner`'s times decide nothing
  Policy policy = {};
  std::int64_t hypotheses = 1;  ///< M: gating timed metrics of the whole suite, including filtered cases
  bool judge_exact = true;      ///< tiers exact, bytes and numeric
  bool judge_timed = true;
  Device device = Device::cpu;
  std::string today = {};         ///< "2026-11-21", UTC: decides which waivers are still valid
  std::string runner_class = {};  ///< decides which limits of a case hold here
  std::variant<StoredReference, PairedReference, EarlierMeasurement> reference = {};
  /// Of an emulated GPU: what the libraries of a real one of its model start. Absent where none was given.
  std::optional<LibraryCalibration> calibration = {};
};

/// nullptr if it is absent.
template <typename Value>
const Value* pointer_to(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

/// nullptr where the reference is another one, as in the functions below.
inline const PairedReference* paired_reference(const Comparison& comparison) {
  return std::get_if<PairedReference>(&comparison.reference);
}

inline const PairedValues* pairs_of(const Comparison& comparison) {
  const PairedReference* paired = paired_reference(comparison);
  return paired == nullptr ? nullptr : pointer_to(paired->pairs);
}

inline const CaseValues* interleaved_base(const Comparison& comparison) {
  const PairedReference* paired = paired_reference(comparison);
  return paired == nullptr ? nullptr : pointer_to(paired->interleaved);
}

inline const CaseValues* earlier_values(const Comparison& comparison) {
  const auto* earlier = std::get_if<EarlierMeasurement>(&comparison.reference);
  return earlier == nullptr ? nullptr : pointer_to(earlier->values);
}

/// Losses of the processes of a base build or an earlier measurement; empty where there is none.
inline const std::vector<ProcessLosses>& losses_of_base(const Comparison& comparison) {
  static const std::vector<ProcessLosses> none;
  if (const PairedReference* paired = paired_reference(comparison)) return paired->losses;
  const CaseValues* earlier = earlier_values(comparison);
  return earlier == nullptr ? none : earlier->losses;
}

/// Whether a base build or an earlier measurement was measured where this one was skipped.
inline bool base_ran(const Comparison& comparison) {
  if (const PairedReference* paired = paired_reference(comparison)) return paired->ran;
  const auto* earlier = std::get_if<EarlierMeasurement>(&comparison.reference);
  return earlier != nullptr && earlier->ran;
}

/// Whether `exact` was made of what was measured. That program may be older and record fewer facts, and a fact that it
/// lacks does not count as a difference.
inline bool exact_is_measured(const Comparison& comparison) {
  const PairedReference* paired = paired_reference(comparison);
  return paired == nullptr ? std::holds_alternative<EarlierMeasurement>(comparison.reference) : paired->holds_exact;
}

}  // namespace stepgate
