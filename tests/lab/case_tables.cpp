// Tables of whole cases: how long their runs take, and what a green is worth.
#include <fmt/format.h>

#include "lab/case_runs.h"
#include "lab/lab_tables.h"
#include "lab/suite_outcome.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

/// Up to here a supply that is worse by its matter margin is rarely green, proven or not.
constexpr double promised_noise = 0.1;
/// The same for a first step, which is not judged where it is too noisy.
constexpr double promised_first_step_noise = 0.03;
constexpr double step_noises[] = {0.005, 0.01};
constexpr double following_noises[] = {0.03, 0.05, 0.1, 0.2};

NoiseModel noise_of(double process_sd) { return {.name = "process", .process_sd = process_sd}; }

std::string row_name(double step, double following) {
  return fmt::format("step {:.1f} %, first step {:.0f} %", 100 * step, 100 * following);
}

void print_durations(const std::string& before, const CaseRunsOutcome& outcome, RowWriter& row) {
  row.number(before + "median", static_cast<double>(outcome.pairs_at(0.5)));
  row.number("90 %", static_cast<double>(outcome.pairs_at(0.9)));
  row.share("not green", share_of(outcome.inconclusive + outcome.red, outcome.cases));
}

void duration_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("Pairs of an unchanged case: suite's margins (narrow), own margins (wide), and following "
                            "metrics (now); {} suites a row",
                            request.suites),
                "pairs", report.csv);
  for (const double step : step_noises) {
    for (const double following : following_noises) {
      const NoiseModel model = noise_of(step);
      const NoiseModel other = noise_of(following);
      CaseRuns plan{
          .model = model, .first_step = other, .supply = other, .suites = request.suites, .seed = request.seed};
      row.begin(row_name(step, following));
      plan.ending = Ending::all_decide;
      plan.following_margins = Margins{};
      print_durations("narrow: ", simulate(plan), row);
      plan.following_margins = {0.1, 0.3};
      print_durations("wide: ", simulate(plan), row);
      plan.ending = Ending::as_built;
      const CaseRunsOutcome now = simulate(plan);
      print_durations("now: ", now, row);
      row.share("with gaps", share_of(now.green_with_gaps, now.cases));
      row.end();
    }
  }
}

/// A first step whose processes run in two modes: cold caches for some of them.
struct TwoModes {
  const char* name;
  double process_sd;
  double share;
  double shift;
};

void two_modes_table(const LabRequest& request, LabReport& report) {
  // The last row: 11.0 to 95.2 ms over 16 processes of one build (docs/decisions/0036).
  constexpr TwoModes all[] = {{"30 % slower by 20 %", 0.05, 0.3, 0.2},
                              {"half slower by 20 %", 0.05, 0.5, 0.2},
                              {"half three times as slow", 0.05, 0.5, 2},
                              {"30 % eight times as slow", 0.1, 0.3, 7}};
  RowWriter row(fmt::format("Unchanged cases whose first step has two modes: before (a time that looks worse keeps the "
                            "run open), and now; {} suites a row",
                            request.suites),
                "two modes", report.csv);
  const NoiseModel model = noise_of(0.005);
  const NoiseModel supply = noise_of(0.03);
  for (const TwoModes& modes : all) {
    const NoiseModel first_step{.name = modes.name,
                                .process_sd = modes.process_sd,
                                .second_mode_share = modes.share,
                                .second_mode_shift = modes.shift};
    CaseRuns plan{.model = model,
                  .first_step = first_step,
                  .supply = supply,
                  .ending = Ending::worse_keeps_open,
                  .suites = request.suites,
                  .seed = request.seed + 2};
    row.begin(modes.name);
    print_durations("before: ", simulate(plan), row);
    plan.ending = Ending::as_built;
    const CaseRunsOutcome now = simulate(plan);
    print_durations("now: ", now, row);
    row.share("with gaps", share_of(now.green_with_gaps, now.cases));
    const Share red = share_of(now.red_suites, now.suites);
    row.share("false red", red);
    if (red.lower > promised_share)
      report.broken.push_back(fmt::format("first step {}: false red suites {}", modes.name, show(red)));
    row.end();
  }
}

struct Promise {
  const NoiseModel& model;
  const NoiseModel& following;
  bool of_supply = true;      ///< the noise is one that a green promises something about: of the supply ...
  bool of_first_step = true;  ///< ... and of the first step
};

void promise_row(const std::string& name, const Promise& promise, const LabRequest& request, RowWriter& row,
                 LabReport& report) {
  CaseRuns plan{.model = promise.model,
                .first_step = promise.following,
                .supply = promise.following,
                .suites = request.suites,
                .seed = request.seed + 1};
  const auto keep = [&](const Share& share, const char* what) {
    if (share.lower > promised_share) report.broken.push_back(fmt::format("{}: {} {}", name, what, show(share)));
  };
  row.begin(name);
  const CaseRunsOutcome none = simulate(plan);
  const Share red = share_of(none.red_suites, none.suites);
  row.share("false red at 0", red);
  keep(red, "false red suites at 0");
  plan.leading_change = Margins{}.ignore;
  plan.following_change = plan.following_margins.ignore;
  const CaseRunsOutcome ignorable = simulate(plan);
  const Share red_at_ignore = share_of(ignorable.red_suites, ignorable.suites);
  row.share("false red at ignore", red_at_ignore);
  keep(red_at_ignore, "false red suites at the ignore margins");
  // The step time stays, so that it ends the runs.
  plan.leading_change = 0;
  plan.following_change = plan.following_margins.matter;
  for (const bool of_first_step : {true, false}) {
    plan.first_step_changes = of_first_step;
    plan.supply_changes = !of_first_step;
    const CaseRunsOutcome worse = simulate(plan);
    const Share passed = share_of(worse.following_passed, worse.following);
    row.share(of_first_step ? "first step +30 %: passed" : "supply +30 %: passed", passed);
    keep(passed, "false pass of a following metric at the matter margin");
    const Share green = share_of(worse.green + worse.green_with_gaps, worse.cases);
    row.share("green", green);
    if (of_first_step ? promise.of_first_step : promise.of_supply)
      keep(green, of_first_step ? "green with a first step at the matter margin"
                                : "green with a loader supply at the matter margin");
    row.share("red", share_of(worse.red, worse.cases));
  }
  plan.following_change = 0.6;
  plan.first_step_changes = true;
  plan.supply_changes = false;
  row.share("first step +60 %: red", [&] {
    const CaseRunsOutcome slower = simulate(plan);
    return share_of(slower.red, slower.cases);
  }());
  row.end();
}

void promise_table(const LabRequest& request, LabReport& report) {
  RowWriter row(fmt::format("What ends with the step time: false reds, false passes, {} suites a row", request.suites),
                "following", report.csv);
  for (const double step : step_noises) {
    for (const double following : following_noises) {
      const NoiseModel model = noise_of(step);
      const NoiseModel other = noise_of(following);
      promise_row(row_name(step, following),
                  {model, other, following <= promised_noise, following <= promised_first_step_noise}, request, row,
                  report);
    }
  }
  const NoiseModel two_modes{
      .name = "two-modes-20%", .process_sd = 0.05, .second_mode_share = 0.3, .second_mode_shift = 0.2};
  promise_row("step 0.5 %, first step in two modes", {noise_of(0.005), two_modes, true, false}, request, row, report);
  const NoiseModel other = noise_of(promised_first_step_noise);
  for (const NoiseModel& model : noise_models()) {
    if (model.knows_its_side) continue;
    promise_row(model.name + ", first step 3 %", {model, other}, request, row, report);
  }
}

}  // namespace

void case_tables(const LabRequest& request, LabReport& report) {
  duration_table(request, report);
  two_modes_table(request, report);
  promise_table(request, report);
}

}  // namespace stepgate::lab
