// The interval rule (docs/design/verdicts.md, "Interval rule"): from an estimated change to a call. The rule is the
// same for stored sessions and interleaved pairs.
#pragma once

#include <cstdint>
#include <map>

#include "core/stored/policy.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// An estimated change on the log scale, signed so that positive is worse: exp(theta) - 1 is the relative change.
struct Estimate {
  double theta = 0;
  double standard_error = 0;
  double degrees_of_freedom = 0;
};

/// Error probabilities that one decision may use.
struct ErrorShares {
  double red = 0.05;   ///< a: of calling a change below the ignore margin regressed (or improved)
  double pass = 0.05;  ///< b: of calling a change of the matter margin or more a pass
};

/// t(1-a, nu) and t(1-b, nu).
struct CriticalValues {
  double red = 0;
  double pass = 0;
};

/// Critical values of one pair of shares, computed once per degrees of freedom: a quantile takes microseconds, and a
/// suite needs the same few of them thousands of times. Not thread-safe.
class CriticalValueTable {
 public:
  /// Throws Error(usage) unless both shares lie in (0, 0.5].
  explicit CriticalValueTable(ErrorShares shares);

  CriticalValues at(double degrees_of_freedom);
  /// The change, in standard errors, that is called regressed with a probability of 95 % (stats/student_t.h).
  double detectable_noncentrality(double degrees_of_freedom);

 private:
  ErrorShares shares_;
  std::map<double, CriticalValues> critical_;
  std::map<double, double> noncentrality_;
};

enum class Call { pass, improved, inconclusive, regressed };

/// `interval`: lower bound at confidence 1-a, upper bound at 1-b, as relative changes.
struct Decision {
  Call call = Call::inconclusive;
  Interval interval;
};

/// With d = ln(1 + ignore) and D = ln(1 + matter), in this order:
///   theta - t(1-a, nu) se >  d  -> regressed
///   theta + t(1-a, nu) se < -d  -> improved
///   theta + t(1-b, nu) se <  D  -> pass
///   otherwise                   -> inconclusive
/// Inconclusive, with an unbounded interval, if the standard error is not positive or a number is not finite.
Decision decide(const Estimate& estimate, const Margins& margins, const CriticalValues& critical);
Decision decide(const Estimate& estimate, const Margins& margins, const ErrorShares& shares);

/// The relative change that the plan of `estimate` calls regressed with a probability of 95 %:
/// exp(d + lambda se) - 1.
double detectable_change(const Estimate& estimate, const Margins& margins, CriticalValueTable& table);

}  // namespace stepgate
