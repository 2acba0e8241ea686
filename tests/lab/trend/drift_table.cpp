// Levels that move in steps of any size, analysed after every session, and how often an unchanged series is red.
#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include "lab/on_threads.h"
#include "lab/table_row.h"
#include "lab/trend/growing_series.h"
#include "lab/trend/trend_series.h"
#include "lab/trend/trend_tables.h"

namespace stepgate::lab {
namespace {

constexpr double matter_margin = 0.05;
constexpr std::size_t promised_sessions = 20;  // after the drift has added up to the matter margin
constexpr double promised_share_found = 0.95;
constexpr double promised_false_reds = 0.2;  // for 1 000 points
constexpr std::size_t flat_points = 200;

/// Those of the other tables, and the noise that the promise allows.
std::vector<TrendFamily> drift_families() {
  std::vector<TrendFamily> families = trend_families();
  families.push_back({{.name = "independent 2 %", .process_sd = 0.02}});
  families.push_back({{.name = "heavy tails 2 %", .process_sd = 0.02, .tail_freedom = 3}});
  return families;
}

/// Lead and rise are drawn: from a rise within two weeks to one within a quarter.
DriftPlan drawn_plan(DriftShape shape, std::uint64_t seed) {
  std::mt19937_64 generator(seed ^ 0x2545f4914f6cdd1dU);  // apart from the noise of the same seed
  DriftPlan plan{.shape = shape, .height = matter_margin};
  plan.lead = boost::random::uniform_int_distribution<std::size_t>(25, 50)(generator);
  plan.rise = 5 * boost::random::uniform_int_distribution<std::size_t>(2, 18)(generator);
  plan.points = plan.lead + plan.rise + promised_sessions;
  return plan;
}

struct DriftOutcome {
  std::int64_t series = 0;
  std::int64_t points = 0;
  std::int64_t false_alarms = 0;
  std::vector<std::ptrdiff_t> delays = {};  ///< sessions from adding up to being red; negative: before

  DriftOutcome& operator+=(const DriftOutcome& other) {
    series += other.series;
    points += other.points;
    false_alarms += other.false_alarms;
    delays.insert(delays.end(), other.delays.begin(), other.delays.end());
    return *this;
  }

  Share found() const { return share_of(static_cast<std::int64_t>(delays.size()), series); }
  double false_of_1000() const { return 1000.0 * static_cast<double>(false_alarms) / static_cast<double>(points); }
  double median_delay() const {
    std::vector<std::ptrdiff_t> sorted = delays;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : static_cast<double>(sorted[(sorted.size() - 1) / 2]);
  }
};

DriftOutcome drift_of_family(const LabRequest& request, const TrendFamily& family, DriftShape shape) {
  return on_threads(request.suites, request.seed + 3, [&](std::uint64_t seed) {
    const DriftPlan plan = drawn_plan(shape, seed);
    DriftOutcome outcome{.series = 1};
    if (const auto session = first_red(draw_drift(family, plan, seed).values))
      outcome.delays.push_back(static_cast<std::ptrdiff_t>(*session) -
                               static_cast<std::ptrdiff_t>(plan.lead + plan.rise));
    return outcome;
  });
}

double level_of(const StepSeries& series, std::size_t begin, std::size_t count) {
  double sum = 0;
  for (std::size_t i = begin; i < begin + count; ++i) sum += series.levels[i];
  return sum / static_cast<double>(count);
}

/// A drift is false where the true level rose by less than the ignore margin.
DriftOutcome false_alarms_of(const LabRequest& request, const TrendFamily& family) {
  return on_threads(request.suites, request.seed + 4, [&](std::uint64_t seed) {
    const StepSeries series = draw_series(family, flat_points, {}, seed);
    DriftOutcome outcome{.series = 1, .points = static_cast<std::int64_t>(flat_points)};
    for (const Alarm& alarm : alarms_of(series.values)) outcome.false_alarms += is_false(series, alarm.change);
    if (const auto drift = first_drift_alarm(series.values)) {
      const double moved = level_of(series, drift->found - drift->stretch, drift->stretch) -
                           level_of(series, drift->since, drift->stretch);
      outcome.false_alarms += moved < std::log1p(TrendLimits{}.ignore_margin);
    }
    return outcome;
  });
}

bool is_promised(DriftShape shape) { return shape != DriftShape::slow_wave; }

void print_shape(const LabRequest& request, DriftShape shape, LabReport& report) {
  RowWriter row(fmt::format("A {} of {:.0f} %, red within {} sessions of adding up; {} series", name_of(shape),
                            100 * matter_margin, promised_sessions, request.suites),
                fmt::format("trend drift {}", name_of(shape)), report.csv);
  DriftOutcome all;
  const auto print = [&](const std::string& name, const DriftOutcome& outcome) {
    row.begin(name);
    row.share("found", outcome.found());
    row.number("median delay", outcome.median_delay(), 0);
    row.end();
    const bool counts = name == "all" || name == "independent 2 %";
    if (is_promised(shape) && counts && outcome.found().upper < promised_share_found)
      report.broken.push_back(fmt::format("{} in {}: found in {}", name_of(shape), name, show(outcome.found())));
  };
  for (const TrendFamily& family : drift_families()) {
    const DriftOutcome outcome = drift_of_family(request, family, shape);
    print(family.noise.name, outcome);
    if (family.walk_sd == 0) all += outcome;
  }
  print("all", all);
}

}  // namespace

void drift_table(const LabRequest& request, LabReport& report) {
  for (const DriftShape shape : drift_shapes()) print_shape(request, shape, report);
  RowWriter row(fmt::format("Series without a change, analysed after every session; {} series of {} points",
                            request.suites, flat_points),
                "trend false alarms", report.csv);
  DriftOutcome all;
  const auto print = [&](const std::string& name, const DriftOutcome& outcome) {
    row.begin(name);
    row.number("false of 1000", outcome.false_of_1000(), 2);
    row.end();
  };
  for (const TrendFamily& family : drift_families()) {
    const DriftOutcome outcome = false_alarms_of(request, family);
    print(family.noise.name, outcome);
    if (family.walk_sd == 0) all += outcome;
  }
  print("all without the walk", all);
  const Share share = share_of(all.false_alarms, all.points);
  if (1000 * share.lower > promised_false_reds)
    report.broken.push_back(fmt::format("{:.2f} false alarms for 1000 points", all.false_of_1000()));
}

void write_drifts(const LabRequest& request, const std::string& path) {
  std::ofstream file(path);
  const auto write = [&](const TrendFamily& family, const StepSeries& series, std::string_view shape) {
    const auto red = first_red(series.values);
    file << fmt::format(R"({{"family": "{}", "shape": "{}", "values": [{}], "red": {}}})", family.noise.name, shape,
                        fmt::join(series.values, ","), red ? "true" : "false")
         << '\n';
  };
  for (const TrendFamily& family : drift_families()) {
    for (std::int64_t i = 0; i < request.suites; ++i) {
      const std::uint64_t seed = seed_of_suite(request.seed + 3, i);
      for (const DriftShape shape : drift_shapes())
        write(family, draw_drift(family, drawn_plan(shape, seed), seed), name_of(shape));
      write(family, draw_series(family, 100, {}, seed), "unchanged");
    }
  }
}

}  // namespace stepgate::lab
