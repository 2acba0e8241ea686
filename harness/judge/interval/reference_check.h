// Slower code or a slower machine: the reference case, a fixed piece of work that is measured beside every case
// (docs/decisions/0002), in the current run and in the stored sessions.
#pragma once

#include <optional>
#include <vector>

#include "core/metric.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"
#include "judge/interval/session_clusters.h"
#include "judge/interval/stored_estimate.h"

namespace stepgate {

/// The current run and the stored sessions in which a metric and the reference case were measured.
struct ReferenceSides {
  const CaseValues& current;
  const std::vector<SessionCluster>& clusters;
  const Policy& policy;
};

/// Whether the reference case moved, by stored_estimate() over the sessions that have `metric`.
struct ReferenceCheck {
  enum class Outcome { still, moved, absent };
  Outcome outcome = Outcome::absent;
  double change = 0;     ///< relative
  double tolerance = 0;  ///< smallest relative change up that would have counted as moved
};

/// Two-sided at 5 %, not divided over the suite: a false "moved" only prevents a red, but a missed one blames the code
/// for a slower machine.
ReferenceCheck check_reference(const Metric& metric, const ReferenceSides& sides);

/// The change of a metric over the change of the reference case, on the log scale.
struct RelativeChange {
  StoredEstimate stored;  ///< estimate from the ratios metric / reference, one for each session
  double machine = 0;     ///< change of the reference case itself
  Policy policy;          ///< with the prior of a ratio
  Estimate estimate() const;
  /// The estimate as if `sessions` sessions had been stored.
  Estimate with(std::int64_t sessions) const;
};

/// theta and the observed spread are those of ln(metric) - ln(reference), so the noise of both counts; a part that the
/// machine gives to both cancels. Their priors add up: prior^2 = metric_prior^2 + policy.prior_spread^2. A case does
/// not follow the machine exactly as the reference case does: machine_share_spread times the change of the reference
/// case is added to the standard error. Absent if the current run, or every stored session, lacks one of the two.
std::optional<RelativeChange> change_over_reference(const Metric& metric, double metric_prior,
                                                    const ReferenceSides& sides);

}  // namespace stepgate
