// The table of reds beside an A/A control.
#include <fmt/format.h>

#include "lab/control/control_suites.h"
#include "lab/lab_tables.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

/// The change of a fault that no person would call noise; the promise is about the smaller ones.
constexpr double large_change = 0.39;

struct ControlOutcomes {
  ControlOutcome none;
  ControlOutcome ignorable;
  ControlOutcome mattering;
  ControlOutcome large;
};

ControlOutcomes simulate_beside(ControlSuites plan) {
  const auto at = [&](double change) {
    plan.change = change;
    ++plan.seed;
    return simulate(plan);
  };
  ControlOutcomes outcomes;
  outcomes.none = at(0);
  outcomes.ignorable = at(Margins{}.ignore);
  outcomes.mattering = at(Margins{}.matter);
  outcomes.large = at(large_change);
  return outcomes;
}

void check_model(const ControlModel& model, const ControlOutcomes& outcomes, LabReport& report) {
  for (const ControlOutcome* each : {&outcomes.none, &outcomes.ignorable}) {
    const Share red = share_of(each->red_suites, each->suites);
    if (red.lower > promised_share)
      report.broken.push_back(fmt::format("{}: false red suites beside a control {}", model.name, show(red)));
  }
}

void print_model(const ControlModel& model, const ControlOutcomes& outcomes, RowWriter& row) {
  row.begin(model.name + (model.beyond_promise ? " *" : ""));
  row.share("false red at 0", share_of(outcomes.none.red_suites, outcomes.none.suites));
  row.share("false red at +1 %", share_of(outcomes.ignorable.red_suites, outcomes.ignorable.suites));
  row.share("any shift: at +1 %", share_of(outcomes.ignorable.red_suites_if_any_moves, outcomes.ignorable.suites));
  row.share("no control: at +1 %", share_of(outcomes.ignorable.red_suites_without, outcomes.ignorable.suites));
  row.share("red at +5 %", share_of(outcomes.mattering.regressed, outcomes.mattering.metrics));
  row.share("red at +39 %", share_of(outcomes.large.regressed, outcomes.large.metrics));
  row.share("any shift: red at +39 %", share_of(outcomes.large.regressed_if_any_moves, outcomes.large.metrics));
  row.end();
}

}  // namespace

void control_table(const LabRequest& request, LabReport& report) {
  const PairRule rule(default_pair_plan(), {.red = promised_share / cases_of_suite, .pass = promised_share});
  RowWriter row(fmt::format("A/B beside an A/A control, {} cases, M = {}, {} suites a row (* no promise)",
                            cases_of_suite, cases_of_suite, request.suites),
                "control", report.csv);
  for (const ControlModel& model : control_models()) {
    const ControlOutcomes outcomes = simulate_beside(
        {.model = model, .rule = rule, .suites = request.suites, .cases = cases_of_suite, .seed = request.seed});
    print_model(model, outcomes, row);
    if (!model.beyond_promise) check_model(model, outcomes, report);
  }
}

}  // namespace stepgate::lab
