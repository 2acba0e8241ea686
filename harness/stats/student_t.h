// Student's t distribution, and the change that a one-sided t test detects.
// Degrees of freedom may be fractional. Values from Boost.Math.
#pragma once

namespace stepgate {

/// t with P(T <= t) = probability. Throws std::domain_error unless 0 < probability < 1 and degrees_of_freedom > 0.
double student_t_quantile(double probability, double degrees_of_freedom);

/// t with P(T > t) = tail. Keeps its digits where the tail is far below 1e-16, which 1 - tail would round away.
/// Throws std::domain_error unless 0 < tail < 1 and degrees_of_freedom > 0.
double student_t_upper_quantile(double tail, double degrees_of_freedom);

/// P(T > t). Throws std::domain_error unless t is finite and degrees_of_freedom > 0.
double student_t_upper_tail(double t, double degrees_of_freedom);

/// Power of the one-sided test that rejects beyond `critical`: P(T(noncentrality) > critical), noncentral t
/// (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2, chapter 31).
double one_sided_power(double critical, double degrees_of_freedom, double noncentrality);

/// The test whose detectable change is asked for.
struct OneSidedTest {
  double level = 0.05;  ///< P(rejects | no change)
  double power = 0.95;  ///< P(rejects | the change looked for)
  double degrees_of_freedom = 1;
};

/// lambda with P(T_nu(lambda) > t(1-level, nu)) = power: the change that the test detects with this power, in units of
/// the standard error (docs/design/statistics.md, "Detectable change": delta0 + lambda * se). Relative accuracy 1e-6 or
/// better. Throws std::domain_error unless 0 < level < power < 1 and degrees_of_freedom > 0.
double detectable_noncentrality(const OneSidedTest& test);

}  // namespace stepgate
