// Tables of whole cases: how long their runs take, and what a green is worth.
#include <fmt/format.h>

#include "lab/case_runs.h"
#include "lab/lab_tables.h"
#include "lab/suite_outcome.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

/// Up to here a following metric that is worse by its matter margin is rarely green, proven or not.
constexpr double promised_noise = 0.1;
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
      CaseRuns plan{.model = model, .following = other, .suites = request.suites, .seed = request.seed};
      row.begin(row_name(step, following));
      plan.ending = Ending::all_decide;
      plan.following_margins = Margins{};
      print_durations("narrow: ", simulate(plan), row);
      plan.following_margins = {0.1, 0.3};
      print_durations("wide: ", simulate(plan), row);
      plan.ending = Ending::leading_decide;
      const CaseRunsOutcome now = simulate(plan);
      print_durations("now: ", now, row);
      row.share("with gaps", share_of(now.green_with_gaps, now.cases));
      row.end();
    }
  }
}

struct Promise {
  const NoiseModel& model;
  const NoiseModel& following;
  bool bounded = true;  ///< the noise of the following metrics is one that a green promises something about
};

void promise_row(const std::string& name, const Promise& promise, const LabRequest& request, RowWriter& row,
                 LabReport& report) {
  CaseRuns plan{
      .model = promise.model, .following = promise.following, .suites = request.suites, .seed = request.seed + 1};
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
  plan.both_following_change = false;
  const CaseRunsOutcome worse = simulate(plan);
  const Share passed = share_of(worse.following_passed, worse.following);
  row.share("+30 %: passed", passed);
  keep(passed, "false pass of following metrics at the matter margin");
  const Share green = share_of(worse.green + worse.green_with_gaps, worse.cases);
  row.share("green", green);
  if (promise.bounded) keep(green, "green with a following metric at the matter margin");
  row.share("red", share_of(worse.red, worse.cases));
  plan.following_change = 0.6;
  row.share("+60 %: red", [&] {
    const CaseRunsOutcome twice = simulate(plan);
    return share_of(twice.red, twice.cases);
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
      promise_row(row_name(step, following), {model, other, following <= promised_noise}, request, row, report);
    }
  }
  const NoiseModel two_modes{
      .name = "two-modes-20%", .process_sd = 0.05, .second_mode_share = 0.3, .second_mode_shift = 0.2};
  promise_row("step 0.5 %, first step in two modes", {noise_of(0.005), two_modes}, request, row, report);
  const NoiseModel other = noise_of(0.05);
  for (const NoiseModel& model : noise_models()) {
    if (model.knows_its_side) continue;
    promise_row(model.name + ", first step 5 %", {model, other}, request, row, report);
  }
}

}  // namespace

void case_tables(const LabRequest& request, LabReport& report) {
  duration_table(request, report);
  promise_table(request, report);
}

}  // namespace stepgate::lab
