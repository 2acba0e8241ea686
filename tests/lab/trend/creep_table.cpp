// Small steps, each within the ignore margin, that add up.
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

constexpr std::size_t points_a_step = 25;
constexpr std::size_t small_steps = 5;
constexpr std::size_t creep_points = points_a_step * (small_steps + 1);
constexpr double small_step = 0.008;
constexpr std::size_t promised_steps = 3;  // noticed at a sum of 2.4 %
constexpr double promised_unchanged = 0.04;

struct CreepOutcome {
  std::int64_t series = 0;
  std::vector<std::size_t> steps_so_far = {};  ///< when creep was noticed, in each series where it was

  CreepOutcome& operator+=(const CreepOutcome& other) {
    series += other.series;
    steps_so_far.insert(steps_so_far.end(), other.steps_so_far.begin(), other.steps_so_far.end());
    return *this;
  }

  Share noticed() const { return share_of(static_cast<std::int64_t>(steps_so_far.size()), series); }
  std::size_t median_steps() const {
    std::vector<std::size_t> sorted = steps_so_far;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[(sorted.size() - 1) / 2];
  }
};

struct CreepPlan {
  const TrendFamily& family;
  double step;
};

CreepOutcome creep_of_family(const LabRequest& request, const CreepPlan& plan) {
  return on_threads(request.suites, request.seed + 2, [&](std::uint64_t seed) {
    std::vector<TrueStep> steps;
    for (std::size_t i = 1; i <= small_steps; ++i) steps.push_back({i * points_a_step, std::log1p(plan.step)});
    const StepSeries series = draw_series(plan.family, creep_points, steps, seed);
    CreepOutcome outcome{.series = 1};
    if (const auto alarm = first_drift_alarm(series.values))
      outcome.steps_so_far.push_back((alarm->found - 1) / points_a_step);
    return outcome;
  });
}

}  // namespace

void creep_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("Creep: {} steps of {:.1f} %, {} sessions apart, analysed after every session; {} series",
                            small_steps, 100 * small_step, points_a_step, request.suites),
                "trend creep", report.csv);
  CreepOutcome all;
  CreepOutcome all_unchanged;
  const auto print = [&](const std::string& name, const CreepOutcome& creeping, const CreepOutcome& unchanged) {
    row.begin(name);
    row.share("noticed", creeping.noticed());
    row.percent("at a sum of", small_step * static_cast<double>(creeping.median_steps()));
    row.share("unchanged", unchanged.noticed());
    row.end();
  };
  const auto promise = [&](const std::string& name, const CreepOutcome& creeping) {
    if (creeping.median_steps() > promised_steps || creeping.noticed().value < 0.5)
      report.broken.push_back(name + ": creep is noticed later than at 2.4 %");
  };
  for (const TrendFamily& family : trend_families()) {
    const CreepOutcome creeping = creep_of_family(request, {family, small_step});
    const CreepOutcome unchanged = creep_of_family(request, {family, 0});
    print(family.noise.name, creeping, unchanged);
    if (family.noise.name == "independent") promise(family.noise.name, creeping);
    all += creeping;
    if (family.walk_sd == 0) all_unchanged += unchanged;
    if (family.walk_sd == 0 && unchanged.noticed().lower > promised_unchanged) {
      report.broken.push_back(
          fmt::format("{}: creep in {} of unchanged series", family.noise.name, show(unchanged.noticed())));
    }
  }
  print("all (unchanged: without the walk)", all, all_unchanged);
  promise("all families", all);
  if (all_unchanged.noticed().value > promised_unchanged)
    report.broken.push_back(fmt::format("creep in {} of all unchanged series", show(all_unchanged.noticed())));
}

}  // namespace stepgate::lab
