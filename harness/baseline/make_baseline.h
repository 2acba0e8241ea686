// Makes a (pending) baseline from a measurement.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/stored/baseline.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"

namespace stepgate {

struct MakeBaselineRequest {
  const CaseValues& values;
  Scope scope = Scope::portable;
  std::string runner_class;  ///< ignored for scope portable
  std::string utc;           ///< time of the measurement
  std::int64_t unix_s = 0;   ///< the same instant
  std::string commit;        ///< commit of the measured tree
  std::string options = {};  ///< as Provenance::options
  /// Metrics that the policy declares to vary: they are left out, and may disagree.
  std::set<std::string> varying = {};
  /// True: values that differ from machine to machine stay in scope portable. For the other side of a comparison on the
  /// same machine; no file stores this.
  bool same_machine = false;
  /// Tolerances within which losses of scope device may differ from process to process; nullptr: they agree to the bit.
  const Policy* policy = nullptr;
};

/// Portable and device: exact, bytes, numerics and their origin. Runner: one Session. Throws Error(measure), naming the
/// metric, if exact replicates disagree, a value is not finite, or the half that the scope needs was not measured.
/// Losses of scope device agree where they differ by rounding; the baseline then holds those of the first process and
/// no digest.
Baseline make_baseline(const MakeBaselineRequest& request);

}  // namespace stepgate
