#include "judge/studies/pooled_scatter.h"

#include <algorithm>

#include "stats/summary.h"

namespace stepgate {
namespace {

/// Two effects of a process are (T1 - P) / T and (T2 - P) / T. With equal noise of all blocks and one block P their
/// correlation is 1/2, with more blocks less; that of normal variances is its square.
constexpr double correlation_of_variances = 0.25;

}  // namespace

PooledScatter pooled_scatter(const std::vector<std::vector<double>>& samples) {
  double squares = 0;
  double freedom_of_all = 0;
  double counted = 0;
  for (const std::vector<double>& sample : samples) {
    if (sample.size() < 2) continue;
    const double freedom = static_cast<double>(sample.size()) - 1;
    squares += sample_variance(sample) * freedom;
    freedom_of_all += freedom;
    counted += 1;
  }
  if (counted == 0) return {};
  return {.variance = squares / freedom_of_all,
          .freedom = freedom_of_all / (1 + correlation_of_variances * (counted - 1))};
}

double shared_variance(const std::vector<double>& sample, const PooledScatter& pooled) {
  return std::max(sample_variance(sample), pooled.variance);
}

}  // namespace stepgate
