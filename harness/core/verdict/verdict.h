// The decision about one metric and about one case. Only judge/ makes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/code_place.h"
#include "core/metric.h"
#include "core/verdict/any_finding_code.h"
#include "core/verdict/limits/limit_verdict.h"
#include "core/verdict/severity.h"
#include "core/verdict/verdict_reason.h"

namespace stepgate {

/// From best to worst; the status of a case is the worst of its gating metrics, and that of a suite the worst of its
/// cases. What was skipped was not judged, so it is worse than a pass. Only metrics can be `not_judged`: such a metric
/// is shown but does not affect the status of the case (it does not gate, or the baseline is older than it).
enum class Status { not_judged, pass, improved, skipped, no_baseline, inconclusive, regressed, failed };

/// The statuses of a case, worst first: the order of every list and count.
inline constexpr std::array case_statuses = {Status::failed,      Status::regressed, Status::inconclusive,
                                             Status::no_baseline, Status::skipped,   Status::improved,
                                             Status::pass};

std::string_view name_of(Status status);  ///< "pass", "improved", "no-baseline", ...
std::optional<Status> status_named(std::string_view name);

/// Bounds of a relative change. In a MetricVerdict they bound how the value moved; inside judge/ positive is worse
/// (judge/rules/value_change.h).
struct Interval {
  double lower = 0;
  double upper = 0;
};

struct MetricVerdict {
  std::string metric;
  Status status = Status::no_baseline;
  VerdictReason reason;
  std::string detail;  ///< one sentence with numbers for a person
  bool gating = true;
  Scope scope = Scope::runner;     ///< which baseline file it was compared with
  std::optional<double> baseline;  ///< natural units; exact: mean per step
  std::optional<double> current;
  std::optional<double> change;      ///< (current - baseline) / baseline, as the value moved, whatever direction is
                                     ///< better; absent if the baseline is 0 or not comparable
  std::optional<Interval> interval;  ///< interval of the change; timed tier
  std::string limit;  ///< the largest change that is not red, as text: "+1.0 %", "-0.99 %" where higher is better, "+0"
  std::optional<double> detectable_change;      ///< the change that this plan detects with 95 % power, relative
  std::optional<std::int64_t> more_replicates;  ///< inconclusive: how many more replicates, sessions or pairs are
                                                ///< needed; pass: pairs until it may be called improved
};

struct CaseVerdict {
  std::string case_name;
  Status status = Status::no_baseline;
  VerdictReason reason;  ///< reason of the deciding metric, or of the case itself
  std::string detail;
  std::vector<MetricVerdict> metrics;  ///< worst first, gating before others
  /// Floors, budgets and targets of the policy that hold for the case and whose half was judged.
  std::vector<LimitVerdict> limits = {};
};

/// An explanation. It never changes a verdict.
struct Finding {
  AnyFindingCode code;
  Severity severity = Severity::note;
  std::string message;  ///< names the boundary, and the operator for work counters
  std::string advice;
  std::string metric;                     ///< the metric that it explains, "" for the case
  std::string boundary = {};              ///< the boundary of the fault; "" if no single boundary is known
  std::vector<std::string> also = {};     ///< further metrics that the same fault changed
  std::vector<SourceFrame> sources = {};  ///< lines of the user's code where it happens, most telling first
};

/// A note that every report shows, at any verdict: a fact about the case that nobody has to act on now.
inline bool is_observation(const Finding& finding) { return finding.code.is(FindingNature::observation); }

}  // namespace stepgate
