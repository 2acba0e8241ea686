// What a job sees that analyses a growing series after every session.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/on_threads.h"
#include "lab/table_row.h"
#include "lab/trend/growing_series.h"
#include "lab/trend/trend_series.h"
#include "lab/trend/trend_tables.h"

namespace stepgate::lab {
namespace {

constexpr std::size_t unchanged_points = 200;
constexpr std::size_t step_at = 60;
constexpr std::size_t points_with_step = 120;
constexpr std::size_t near_step = 5;
constexpr double step_sizes[] = {0.02, 0.03, 0.05};

struct RepeatedOutcome {
  std::int64_t points = 0;
  std::int64_t alarms = 0;  ///< not near the step
  std::int64_t series = 0;
  std::vector<std::size_t> delays = {};  ///< sessions from the step to its alarm

  RepeatedOutcome& operator+=(const RepeatedOutcome& other) {
    points += other.points;
    alarms += other.alarms;
    series += other.series;
    delays.insert(delays.end(), other.delays.begin(), other.delays.end());
    return *this;
  }
};

RepeatedOutcome outcome_of(const StepSeries& series) {
  RepeatedOutcome outcome{.points = static_cast<std::int64_t>(series.values.size()), .series = 1};
  for (const Alarm& alarm : alarms_of(series.values)) {
    const bool is_step = !series.steps.empty() && alarm.change.index + near_step >= step_at &&
                         alarm.change.index <= step_at + near_step && alarm.session > step_at;
    if (!is_step) {
      outcome.alarms += is_false(series, alarm.change);
    } else if (outcome.delays.empty()) {
      outcome.delays.push_back(alarm.session - step_at);
    }
  }
  return outcome;
}

RepeatedOutcome repeat_family(const LabRequest& request, const TrendFamily& family, double step) {
  return on_threads(request.suites, request.seed + 1, [&](std::uint64_t seed) {
    if (step == 0) return outcome_of(draw_series(family, unchanged_points, {}, seed));
    return outcome_of(draw_series(family, points_with_step, {{step_at, std::log1p(step)}}, seed));
  });
}

double median_delay(std::vector<std::size_t> delays) {
  std::sort(delays.begin(), delays.end());
  return static_cast<double>(delays[(delays.size() - 1) / 2]);
}

}  // namespace

void repeated_tables(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("Analysed after every session; {} series a family and column", request.suites),
                "trend repeated", report.csv);
  for (const TrendFamily& family : trend_families()) {
    const RepeatedOutcome unchanged = repeat_family(request, family, 0);
    row.begin(family.noise.name);
    row.number("false of 1000", 1000.0 * static_cast<double>(unchanged.alarms) / static_cast<double>(unchanged.points),
               2);
    for (const double size : step_sizes) {
      const RepeatedOutcome outcome = repeat_family(request, family, size);
      row.share(fmt::format("+{:.0f} % found", 100 * size),
                share_of(static_cast<std::int64_t>(outcome.delays.size()), outcome.series));
      if (!outcome.delays.empty()) row.number("after", median_delay(outcome.delays));
    }
    row.end();
  }
}

}  // namespace stepgate::lab
