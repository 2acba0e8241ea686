// A measurement becomes a (pending) baseline.
#pragma once

#include <cstdint>
#include <string>

#include "core/stored/baseline.h"
#include "core/verdict/case_values.h"

namespace stepgate {

struct MakeBaselineRequest {
  const CaseValues& values;
  Scope scope = Scope::portable;
  std::string runner_class;  ///< ignored for scope portable
  std::string utc;           ///< when it was measured
  std::int64_t unix_s = 0;   ///< the same instant
  std::string commit;        ///< of the tree that was measured
  /// False: what was counted, without a session. The other side of a comparison; no file holds such a thing.
  bool with_times = true;
  /// Of scope runner: the key is of the exact processes. Where no timed ones are compared, nothing else is known.
  bool keyed_by_exact = false;
};

/// Portable: exact, bytes, numerics and where they come from. Runner: one Session, unless `with_times` is false; on
/// cuda the exact half as well. Throws Error(measure), naming the metric, where exact replicates disagree, a value is
/// not finite, or the half that the scope needs was not measured.
Baseline make_baseline(const MakeBaselineRequest& request);

}  // namespace stepgate
