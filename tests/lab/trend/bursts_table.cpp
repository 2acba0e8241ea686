// Commits that were measured within minutes share the state of the machine.
#include <fmt/format.h>

#include <cmath>

#include "lab/on_threads.h"
#include "lab/table_row.h"
#include "lab/trend/growing_series.h"
#include "lab/trend/trend_series.h"
#include "lab/trend/trend_tables.h"

namespace stepgate::lab {
namespace {

constexpr double promised_burst_alarms = 0.2;  // for 1 000 points
constexpr double slot_deviations[] = {0, 0.005, 0.01, 0.02};
constexpr double burst_steps[] = {0.05, 0.1};

struct BurstOutcome {
  std::int64_t series = 0;
  std::int64_t points = 0;
  std::int64_t found = 0;         ///< series in which the step is an alarm
  std::int64_t false_alarms = 0;  ///< any other alarm

  BurstOutcome& operator+=(const BurstOutcome& other) {
    series += other.series;
    points += other.points;
    found += other.found;
    false_alarms += other.false_alarms;
    return *this;
  }
};

BurstOutcome bursts_with(const LabRequest& request, const BurstPlan& plan) {
  return on_threads(request.suites, request.seed + 5, [&](std::uint64_t seed) {
    const StepSeries series = draw_bursts(plan, seed);
    BurstOutcome outcome{.series = 1, .points = static_cast<std::int64_t>(plan.points)};
    for (const Alarm& alarm : alarms_of(series.values, slots_of(plan))) {
      constexpr std::size_t near = 3;
      const bool is_step = !plan.steps.empty() && alarm.change.index + near >= plan.steps.front().index &&
                           alarm.change.index <= plan.steps.front().index + near;
      if (is_step)
        outcome.found = 1;
      else
        ++outcome.false_alarms;
    }
    return outcome;
  });
}

}  // namespace

void bursts_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("40 commits, six in half an hour, a step in the middle; {} series", request.suites),
                "trend bursts", report.csv);
  BurstOutcome unchanged;
  for (const double deviation : slot_deviations) {
    row.begin(fmt::format("slots differ by {:.1f} %", 100 * deviation));
    for (const double step : burst_steps) {
      const BurstOutcome outcome = bursts_with(request, {.slot_sd = deviation, .steps = {{20, std::log1p(step)}}});
      row.share(fmt::format("+{:.0f} % found", 100 * step), share_of(outcome.found, outcome.series));
    }
    const BurstOutcome none = bursts_with(request, {.slot_sd = deviation});
    row.number("false of 1000", 1000.0 * static_cast<double>(none.false_alarms) / static_cast<double>(none.points), 2);
    row.end();
    unchanged += none;
  }
  const Share share = share_of(unchanged.false_alarms, unchanged.points);
  if (1000 * share.lower > promised_burst_alarms)
    report.broken.push_back(fmt::format("bursts: {} of the points have a false alarm", show(share)));
}

}  // namespace stepgate::lab
