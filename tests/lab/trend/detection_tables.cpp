// How well changes of level are found in a finished series.
#include <fmt/format.h>

#include <fstream>

#include "lab/on_threads.h"
#include "lab/table_row.h"
#include "lab/trend/trend_score.h"
#include "lab/trend/trend_tables.h"
#include "stats/trend/confirmed_levels.h"
#include "stats/trend/difference_noise.h"
#include "stats/trend/optimal_segments.h"
#include "stats/trend/spike_filter.h"

namespace stepgate::lab {
namespace {

constexpr std::size_t points = 200;
constexpr double promised_f1 = 0.90;
constexpr double promised_false_alarms = 0.2;  // for 1 000 points

using Detector = std::vector<FoundChange> (*)(const std::vector<double>& values);

std::vector<FoundChange> changes_of(const std::vector<double>& values) {
  return found_changes(analyse_series(values, {}));
}

std::vector<FoundChange> plain_changes(const std::vector<std::size_t>& places) {
  std::vector<FoundChange> changes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : places[i - 1];
    const std::size_t end = i + 1 == places.size() ? points : places[i + 1];
    changes.push_back({begin, places[i], end, places[i], places[i]});
  }
  return changes;
}

std::vector<FoundChange> without_spike_filter(const std::vector<double>& values) {
  const double noise = difference_noise(values, 0);
  std::vector<std::size_t> places;
  const auto levels = confirmed_levels(values, optimal_changes(values, change_penalty(noise, values.size())), {});
  for (std::size_t i = 1; i < levels.size(); ++i) places.push_back(levels[i].begin);
  return plain_changes(places);
}

std::vector<FoundChange> without_confirmation(const std::vector<double>& values) {
  const double noise = difference_noise(values, 0);
  const FilteredSeries filtered = filter_spikes(values, noise);
  return plain_changes(optimal_changes(filtered.values, change_penalty(noise, values.size())));
}

struct DetectionPlan {
  const TrendFamily& family;
  Detector detector = changes_of;
  bool with_steps = true;
};

TrendScore score_family(const LabRequest& request, const DetectionPlan& plan) {
  return on_threads(request.suites, request.seed, [&](std::uint64_t seed) {
    const auto steps = plan.with_steps ? draw_steps(points, seed) : std::vector<TrueStep>{};
    const StepSeries series = draw_series(plan.family, points, steps, seed);
    return score_changes(series, plan.detector(series.values));
  });
}

void print_score(const TrendScore& score, RowWriter& row) {
  row.number("F1", score.f1(), 3);
  row.number("precision", score.precision(), 3);
  row.number("recall", score.recall(), 3);
  row.number("false of 1000", score.false_per_1000_points(), 2);
}

/// Of all families together.
struct FamilyScores {
  TrendScore with_steps;
  TrendScore unchanged;
};

/// Also the row of all families. Returns its scores.
FamilyScores print_families(const LabRequest& request, const std::string& title, Detector detector, LabReport& report) {
  RowWriter row(title, title.substr(0, title.find(';')), report.csv);
  FamilyScores all;
  const auto print = [&](const std::string& name, const TrendScore& score, const TrendScore& unchanged) {
    row.begin(name);
    print_score(score, row);
    row.number("unchanged", unchanged.false_per_1000_points(), 2);
    if (detector == &changes_of && score.matched > 0) {
      row.share("range holds", share_of(score.ranges_holding, score.matched));
      row.number("its points", static_cast<double>(score.range_points) / static_cast<double>(score.matched));
    }
    row.end();
  };
  for (const TrendFamily& family : trend_families()) {
    const TrendScore score = score_family(request, {family, detector, true});
    const TrendScore unchanged = score_family(request, {family, detector, false});
    print(family.noise.name, score, unchanged);
    all.with_steps += score;
    all.unchanged += unchanged;
  }
  print("all", all.with_steps, all.unchanged);
  return all;
}

}  // namespace

void detection_tables(const LabRequest& request, LabReport& report) {
  const FamilyScores all =
      print_families(request, fmt::format("Changes of level; {} series of {} points a family", request.suites, points),
                     changes_of, report);
  const double f1 = all.with_steps.f1();
  if (f1 < promised_f1) report.broken.push_back(fmt::format("F1 of all families {:.3f}", f1));
  for (const TrendScore* score : {&all.with_steps, &all.unchanged}) {
    const double count = score->false_per_1000_points();
    if (count <= promised_false_alarms) continue;
    report.broken.push_back(fmt::format("{:.2f} false changes for 1000 points of series {} steps", count,
                                        score == &all.with_steps ? "with" : "without"));
  }
  print_families(request, "Without the spike filter", without_spike_filter, report);
  print_families(request, "Without confirmation", without_confirmation, report);
}

namespace {

void write_line(const TrendFamily& family, const StepSeries& series, std::ofstream& file) {
  const double penalty = change_penalty(difference_noise(series.values, 0), points);
  std::vector<std::size_t> steps;
  for (const TrueStep& step : series.steps) steps.push_back(step.index);
  std::vector<std::size_t> found;
  for (const FoundChange& change : changes_of(series.values)) found.push_back(change.index);
  file << fmt::format(R"({{"family": "{}", "values": [{}], "levels": [{}], "steps": [{}], "found": [{}], )",
                      family.noise.name, fmt::join(series.values, ","), fmt::join(series.levels, ","),
                      fmt::join(steps, ","), fmt::join(found, ","))
       << fmt::format(R"("penalty": {}, "optimal": [{}]}})", penalty,
                      fmt::join(optimal_changes(series.values, penalty), ","))
       << '\n';
}

}  // namespace

void write_series(const LabRequest& request, const std::string& path) {
  std::ofstream file(path);
  for (const TrendFamily& family : trend_families()) {
    for (std::int64_t i = 0; i < request.suites; ++i) {
      const std::uint64_t seed = seed_of_suite(request.seed, i);
      write_line(family, draw_series(family, points, draw_steps(points, seed), seed), file);
      write_line(family, draw_series(family, points, {}, seed), file);
    }
  }
}

}  // namespace stepgate::lab
