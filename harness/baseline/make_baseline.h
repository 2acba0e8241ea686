// Makes a (pending) baseline from a measurement.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/stored/baseline.h"
#include "core/verdict/case_values.h"

namespace stepgate {

struct MakeBaselineRequest {
  const CaseValues& values;
  Scope scope = Scope::portable;
  std::string runner_class;  ///< ignored for scope portable
  std::string utc;           ///< time of the measurement
  std::int64_t unix_s = 0;   ///< the same instant
  std::string commit;        ///< of the measured tree
  std::string options = {};  ///< as Provenance::options
  /// False: only the counted values, without a session. For the other side of a comparison; no file stores this.
  bool with_times = true;
  /// Metrics that the policy declares to vary: they are left out, and may disagree.
  std::set<std::string> varying = {};
  /// For scope runner: the key is the one of the exact processes, because no timed processes are compared.
  bool keyed_by_exact = false;
  /// True: values that differ from machine to machine stay in scope portable. For the other side of a comparison on the
  /// same machine; no file stores this.
  bool same_machine = false;
};

/// Portable: exact, bytes, numerics and their origin. Runner: one Session, unless `with_times` is false; on cuda also
/// the exact half. Throws Error(measure), naming the metric, if exact replicates disagree, a value is not finite, or
/// the half that the scope needs was not measured.
Baseline make_baseline(const MakeBaselineRequest& request);

}  // namespace stepgate
