#include "diagnose/work/operator_difference.h"

#include <cmath>

#include "diagnose/both_sides.h"

namespace stepgate {

std::vector<OperatorChange> operator_difference(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr || baseline->operators.empty() || input.current.counts.operators.empty()) return {};
  return operator_changes({baseline->operators, counted_steps(baseline->exact)},
                          {input.current.counts.operators, counted_steps(input.current.counts.per_step)});
}

double calls_more(const std::vector<OperatorChange>& changes, std::string_view boundary, std::string_view name) {
  for (const OperatorChange& change : changes) {
    if (change.boundary == boundary && change.name == name) return change.difference();
  }
  return 0;
}

std::optional<std::int64_t> whole_calls(double difference) {
  // Sums over some hundred steps divided by their number: a whole mean is exact to far less than this.
  constexpr double nearly = 1e-6;
  const auto whole = std::llround(difference);
  const bool is_whole = whole != 0 && std::abs(difference - static_cast<double>(whole)) < nearly;
  return is_whole ? std::optional<std::int64_t>(whole) : std::nullopt;
}

}  // namespace stepgate
