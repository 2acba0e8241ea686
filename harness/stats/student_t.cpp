#include "stats/student_t.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

namespace stepgate {
namespace {

/// Boost computes in long double unless told otherwise: three times slower for digits that a decision at 95 % lacks.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;
using NonCentralT = boost::math::non_central_t_distribution<double, InDouble>;
using ChiSquared = boost::math::chi_squared_distribution<double, InDouble>;

void require(bool holds, const char* message) {
  if (!holds) throw std::domain_error(message);
}

/// Large-sample start for lambda: with known variance it would be z(1-level) + z(power); a heavy-tailed critical
/// value scales it up by about the upper quantile of chi/sqrt(nu), which is near 1 + z(power)/sqrt(2 nu).
double first_guess(double critical, const OneSidedTest& test) {
  const double z = boost::math::quantile(boost::math::normal(), test.power);
  const double scale = 1 + std::max(z, 0.0) / std::sqrt(2 * test.degrees_of_freedom);
  return std::max(critical, 0.0) * scale + std::max(z, 0.5);
}

/// Beyond this critical value the normal part of T_nu(lambda) = (Z + lambda) / sqrt(chi^2 / nu) no longer shows, and
/// the series of the noncentral t overflow: lambda = critical * sqrt(chi^2(power, nu) / nu), relative error 1e-6.
constexpr double asymptotic_critical = 1000;

double asymptotic_noncentrality(double critical, const OneSidedTest& test) {
  const ChiSquared distribution(test.degrees_of_freedom);
  return critical * std::sqrt(boost::math::quantile(distribution, test.power) / test.degrees_of_freedom);
}

}  // namespace

double student_t_quantile(double probability, double degrees_of_freedom) {
  require(probability > 0 && probability < 1, "student_t_quantile: probability outside (0, 1)");
  require(degrees_of_freedom > 0, "student_t_quantile: degrees of freedom must be above 0");
  return boost::math::quantile(StudentsT(degrees_of_freedom), probability);
}

double student_t_upper_quantile(double tail, double degrees_of_freedom) {
  require(tail > 0 && tail < 1, "student_t_upper_quantile: tail outside (0, 1)");
  require(degrees_of_freedom > 0, "student_t_upper_quantile: degrees of freedom must be above 0");
  return boost::math::quantile(boost::math::complement(StudentsT(degrees_of_freedom), tail));
}

double student_t_upper_tail(double t, double degrees_of_freedom) {
  require(std::isfinite(t), "student_t_upper_tail: t is not finite");
  require(degrees_of_freedom > 0, "student_t_upper_tail: degrees of freedom must be above 0");
  return boost::math::cdf(boost::math::complement(StudentsT(degrees_of_freedom), t));
}

double one_sided_power(double critical, double degrees_of_freedom, double noncentrality) {
  require(std::isfinite(critical) && std::isfinite(noncentrality), "one_sided_power: argument is not finite");
  require(degrees_of_freedom > 0, "one_sided_power: degrees of freedom must be above 0");
  const NonCentralT distribution(degrees_of_freedom, noncentrality);
  return boost::math::cdf(boost::math::complement(distribution, critical));
}

double detectable_noncentrality(const OneSidedTest& test) {
  require(test.level > 0 && test.level < test.power && test.power < 1,
          "detectable_noncentrality: needs 0 < level < power < 1");
  const double critical = student_t_upper_quantile(test.level, test.degrees_of_freedom);
  if (critical > asymptotic_critical) return asymptotic_noncentrality(critical, test);
  const auto missing_power = [&](double noncentrality) {
    return one_sided_power(critical, test.degrees_of_freedom, noncentrality) - test.power;
  };
  std::uintmax_t iterations = 100;
  const boost::math::tools::eps_tolerance<double> close_enough(22);  // bits: relative 2.4e-7
  const auto bracket = boost::math::tools::bracket_and_solve_root(missing_power, first_guess(critical, test), 1.5, true,
                                                                  close_enough, iterations);
  return (bracket.first + bracket.second) / 2;
}

}  // namespace stepgate
