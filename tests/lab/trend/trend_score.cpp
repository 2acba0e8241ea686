#include "lab/trend/trend_score.h"

#include <cmath>

namespace stepgate::lab {
namespace {

constexpr std::size_t tolerance = 3;

double part_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

double mean_level(const StepSeries& series, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += series.levels[i];
  return sum / static_cast<double>(end - begin);
}

}  // namespace

TrendScore& TrendScore::operator+=(const TrendScore& other) {
  points += other.points;
  steps += other.steps;
  found += other.found;
  matched += other.matched;
  false_changes += other.false_changes;
  ranges_holding += other.ranges_holding;
  range_points += other.range_points;
  return *this;
}

double TrendScore::precision() const { return part_of(matched, found); }
double TrendScore::recall() const { return part_of(matched, steps); }
double TrendScore::f1() const { return part_of(2 * matched, found + steps); }
double TrendScore::false_per_1000_points() const { return 1000 * part_of(false_changes, points); }

std::vector<FoundChange> found_changes(const SeriesAnalysis& analysis) {
  std::vector<FoundChange> found;
  for (std::size_t i = 0; i < analysis.changes.size(); ++i) {
    const LevelChange& change = analysis.changes[i];
    found.push_back(
        {analysis.segments[i].begin, change.index, analysis.segments[i + 1].end, change.earliest, change.latest});
  }
  return found;
}

bool is_false(const StepSeries& series, const FoundChange& change) {
  const double true_change =
      mean_level(series, change.index, change.end) - mean_level(series, change.begin, change.index);
  return std::abs(true_change) < std::log1p(TrendLimits{}.ignore_margin);
}

TrendScore score_changes(const StepSeries& series, const std::vector<FoundChange>& changes) {
  TrendScore score{.points = static_cast<std::int64_t>(series.values.size()),
                   .steps = static_cast<std::int64_t>(series.steps.size()),
                   .found = static_cast<std::int64_t>(changes.size())};
  for (const FoundChange& change : changes) score.false_changes += is_false(series, change);
  auto next = changes.begin();
  for (const TrueStep& step :
       series.steps) {  // each step takes the first change in reach: no other choice matches more
    while (next != changes.end() && next->index + tolerance < step.index) ++next;
    if (next == changes.end() || next->index > step.index + tolerance) continue;
    ++score.matched;
    score.ranges_holding += next->earliest <= step.index && step.index <= next->latest;
    score.range_points += static_cast<std::int64_t>(next->latest - next->earliest + 1);
    ++next;
  }
  return score;
}

}  // namespace stepgate::lab
