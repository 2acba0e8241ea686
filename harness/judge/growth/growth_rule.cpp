#include "judge/growth/growth_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using Growths = std::span<const LevelGrowth>;

/// Standard errors of the difference that make more processes worth their time. With two processes of each side noise
/// alone gets there seldom; it then costs seconds and no verdict.
constexpr double worth_a_look = 3;

/// A side: its mean growth, the spread of its processes, and the noise within one.
struct SideOfGrowth {
  double mean = 0;
  double squares = 0;  ///< of the differences from the mean
  double noise2 = 0;   ///< mean square of the noise within a process
  double lowest = 0;
  double highest = 0;
  double steps = 0;  ///< of all processes
  double count = 0;
};

SideOfGrowth side_of(Growths growths) {
  SideOfGrowth side;
  std::vector<double> values;
  for (const LevelGrowth& growth : growths) {
    values.push_back(growth.per_step);
    side.noise2 += growth.noise * growth.noise / static_cast<double>(growths.size());
    side.steps += static_cast<double>(growth.steps);
  }
  side.mean = mean(values);
  side.count = static_cast<double>(values.size());
  side.lowest = *std::min_element(values.begin(), values.end());
  side.highest = *std::max_element(values.begin(), values.end());
  side.squares = sample_variance(values) * (side.count - 1);
  return side;
}

/// One part of a squared standard error, with the degrees of freedom that it was estimated with.
struct ErrorPart {
  double square = 0;
  double freedom = 0;
};

/// The degrees of freedom of the sum. F. E. Satterthwaite, "An approximate distribution of estimates of variance
/// components", Biometrics Bulletin 2 (1946). Two processes of each side know little about the spread between
/// processes, and their steps much about the noise within one.
double freedom_of(double sum, std::initializer_list<ErrorPart> parts) {
  double weighted = 0;
  for (const ErrorPart& part : parts) weighted += part.square * part.square / std::max(1.0, part.freedom);
  return weighted > 0 ? std::max(1.0, sum * sum / weighted) : 1;
}

/// The measured growth of both sides.
GrowthDifference measured_difference(const SideOfGrowth& current, const SideOfGrowth& base) {
  const double spread2 = (current.squares + base.squares) / (current.count + base.count - 2);
  const double between2 = spread2 * (1 / current.count + 1 / base.count);
  const double noise2 = between2 + current.noise2 + base.noise2;
  return {.base = base.mean,
          .current = current.mean,
          .noise = std::sqrt(noise2),
          .freedom = freedom_of(noise2, {{between2, current.count + base.count - 2},
                                         {current.noise2, current.steps - current.count},
                                         {base.noise2, base.steps - base.count}}),
          .above = current.lowest > base.highest,
          .below = current.highest < base.lowest};
}

/// A stored growth counts as one more process, with the spread and the noise of the head.
GrowthDifference difference_from_stored(const SideOfGrowth& current, std::int64_t stored) {
  const double spread2 = current.squares / (current.count - 1) * (1 / current.count + 1);
  return {
      .base = static_cast<double>(stored), .current = current.mean, .noise = std::sqrt(spread2 + 2 * current.noise2)};
}

std::int64_t highest_value(std::span<const std::int64_t> values) {
  return *std::max_element(values.begin(), values.end());
}

std::string sentence_of(const Metric& metric, const GrowthDifference& found) {
  const auto text = two_quantities(metric.unit, std::round(found.base), std::round(found.current));
  return fmt::format("{} -> {} per step ({}; noise of the difference {})", text.first, text.second,
                     difference_text(metric.unit, std::round(found.difference())),
                     quantity_text(metric.unit, std::round(found.noise)));
}

void show(const Metric& metric, const GrowthDifference& found, MetricVerdict& verdict) {
  verdict.baseline = found.base;
  verdict.current = found.current;
  verdict.change = found.base > 0 ? std::optional(found.current / found.base - 1) : std::nullopt;
  verdict.limit = "+" + quantity_text(metric.unit, std::round(found.reach));
}

/// Whether each process of the head had a rise above the floor that came once, and none of the base half as much. It
/// may be the first of many.
bool rose_once_more(const Metric& metric, Growths head, Growths base) {
  std::int64_t least = head.front().one_off;
  for (const LevelGrowth& growth : head) least = std::min(least, growth.one_off);
  return least >= metric.noise_floor &&
         std::all_of(base.begin(), base.end(), [&](const LevelGrowth& growth) { return 2 * growth.one_off < least; });
}

/// True where the measured growth of both sides decides.
bool settle_measured(const Metric& metric, const GrowthSides& sides, const BytesLimits& limits,
                     MetricVerdict& verdict) {
  const auto found = growth_difference(metric, sides, limits.share);
  if (!found || sides.base.empty()) return false;
  const std::int64_t before = highest_value(sides.bytes.baseline);
  const auto allowed = static_cast<double>(before > 0 ? allowed_increase(limits, before) : 0);
  const std::string sentence = sentence_of(metric, *found);
  if (found->above && found->difference() > found->reach + allowed) {
    show(metric, *found, verdict);
    settle(verdict, Status::regressed, before > 0 ? ReasonCode::above_limit : ReasonCode::leak,
           sentence + (before > 0 ? ", each above the largest of the base" : " left allocated by each step"));
    return true;
  }
  if (found->below && -found->difference() > found->reach) {
    show(metric, *found, verdict);
    settle(verdict, Status::improved, ReasonCode::below_baseline, sentence);
    return true;
  }
  return false;
}

}  // namespace

std::optional<GrowthDifference> growth_difference(const Metric& metric, const GrowthSides& sides, double share) {
  if (metric.noise_floor <= 0 || sides.current.size() < 2) return std::nullopt;
  const bool is_stored = sides.base.empty();
  if (is_stored ? highest_value(sides.bytes.baseline) <= 0 : sides.base.size() < 2) return std::nullopt;
  const SideOfGrowth current = side_of(sides.current);
  GrowthDifference found = is_stored ? difference_from_stored(current, highest_value(sides.bytes.baseline))
                                     : measured_difference(current, side_of(sides.base));
  // Two processes and a stored value have one degree of freedom between processes, which would excuse any difference.
  const double freedom = is_stored ? current.steps : found.freedom;
  found.reach =
      std::max(found.noise * student_t_upper_quantile(share, freedom), static_cast<double>(metric.resolution));
  return found;
}

void apply_growth_rule(const Metric& metric, const GrowthSides& sides, const BytesLimits& limits,
                       MetricVerdict& verdict) {
  if (settle_measured(metric, sides, limits, verdict)) return;
  apply_bytes_rule(metric, sides.bytes, limits, verdict);
  if (verdict.status != Status::inconclusive || sides.bytes.interleaved) return;
  GrowthSides stored = sides;
  stored.base = {};
  const auto from_stored = growth_difference(metric, stored, limits.share);
  if (!from_stored || from_stored->difference() > from_stored->reach) return;
  show(metric, *from_stored, verdict);
  settle(verdict, Status::pass, ReasonCode::within_limit, sentence_of(metric, *from_stored));
}

bool may_grow_more(const CaseValues& base, const CaseValues& head) {
  for (const auto& [name, current] : head.growth) {
    const Metric* metric = find_metric(name);
    const auto before = base.growth.find(name);
    if (metric == nullptr || !metric->gates || before == base.growth.end() || before->second.empty()) continue;
    if (metric->noise_floor <= 0 || current.empty()) continue;
    if (rose_once_more(*metric, current, before->second)) return true;
    const auto found = growth_difference(*metric, {.bytes = {}, .current = current, .base = before->second}, 0.5);
    if (!found || !found->above) continue;
    const double least = std::max(worth_a_look * found->noise, static_cast<double>(metric->resolution));
    if (found->difference() > least) return true;
  }
  return false;
}

}  // namespace stepgate
