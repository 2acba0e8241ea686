#include "diagnose/work/step_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// Sums over some hundred steps divided by their number: a whole mean is exact to far less than this.
constexpr double nearly = 1e-6;

bool all_whole(const std::vector<double>& means, double factor) {
  return std::all_of(means.begin(), means.end(),
                     [&](double mean) { return std::abs(mean * factor - std::round(mean * factor)) < nearly; });
}

}  // namespace

std::optional<StepSpread> step_spread(const JudgedComparison& input, const std::string& metric) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return std::nullopt;
  const auto before = baseline->exact.find(metric);
  const auto now = input.current.counts.per_step.find(metric);
  if (before == baseline->exact.end() || now == input.current.counts.per_step.end()) return std::nullopt;
  if (before->second.size() != now->second.size() || now->second.empty()) return std::nullopt;
  StepSpread spread{.counted = now->second.size()};
  for (std::size_t step = spread.counted; step-- > 0;) {
    if (before->second[step] == now->second[step]) continue;
    ++spread.affected;
    spread.first = step;
  }
  return spread;
}

std::string affected_steps(const std::optional<StepSpread>& spread) {
  if (!spread || spread->affected == 0) return "";
  if (spread->affected == spread->counted) return ", in every counted step";
  return fmt::format(", in {} of {} counted steps (first: step {})", spread->affected, spread->counted, spread->first);
}

WholeAmounts whole_amounts(const std::vector<double>& means, const std::optional<StepSpread>& spread) {
  if (!spread) return {};
  const auto counted = static_cast<double>(spread->counted);
  const bool in_some = spread->affected > 0 && spread->affected < spread->counted;
  const double in_affected = in_some ? counted / static_cast<double>(spread->affected) : 1;
  if (all_whole(means, in_affected)) return {in_affected, " per step"};
  return {counted, fmt::format(" in {} steps", spread->counted)};
}

}  // namespace stepgate
