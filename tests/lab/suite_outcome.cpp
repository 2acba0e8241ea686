#include "lab/suite_outcome.h"

#include <boost/math/distributions/binomial.hpp>
#include <limits>
#include <stdexcept>

namespace stepgate::lab {

SuiteOutcome& SuiteOutcome::operator+=(const SuiteOutcome& other) {
  suites += other.suites;
  red_suites += other.red_suites;
  open_suites += other.open_suites;
  metrics += other.metrics;
  regressed += other.regressed;
  improved += other.improved;
  passed += other.passed;
  inconclusive += other.inconclusive;
  pairs += other.pairs;
  return *this;
}

void SuiteOutcome::add(Status status) {
  ++metrics;
  regressed += status == Status::regressed;
  improved += status == Status::improved;
  passed += status == Status::pass;
  inconclusive += status == Status::inconclusive;
}

Share share_of(std::int64_t hits, std::int64_t trials) {
  if (trials <= 0 || hits < 0 || hits > trials) throw std::domain_error("share_of: needs 0 <= hits <= trials");
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double tail = 0.025;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(hits);
  return {.value = k / n,
          .lower = Binomial::find_lower_bound_on_p(n, k, tail),
          .upper = hits == trials ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

double smallest_detected_change(const std::function<SuiteOutcome(double change)>& outcome_at, double precision) {
  const auto detected = [&](double change) {
    const SuiteOutcome outcome = outcome_at(change);
    return static_cast<double>(outcome.regressed) >= 0.95 * static_cast<double>(outcome.metrics);
  };
  double low = 0;
  double high = 1;
  if (!detected(high)) return std::numeric_limits<double>::infinity();
  while (high - low > precision) {
    const double middle = (low + high) / 2;
    (detected(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace stepgate::lab
