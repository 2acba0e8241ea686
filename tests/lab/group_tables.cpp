// The table of two measurements, one after the other.
#include <fmt/format.h>

#include "core/stored/policy.h"
#include "lab/group_suites.h"
#include "lab/lab_tables.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

constexpr double promised = 0.05;

/// The false red share of `compare`; Welch's alone promises nothing.
Share group_row(GroupSuites plan, RowWriter& row) {
  const auto run = [&](GroupRule rule, bool another_day, double change) {
    plan.rule = rule;
    plan.another_day = another_day;
    plan.change = change;
    return simulate(plan);
  };
  const auto red = [](const SuiteOutcome& outcome) { return share_of(outcome.red_suites, outcome.suites); };
  row.begin(plan.model.name);
  row.share("Welch at once", red(run(GroupRule::welch, false, 0)));
  row.share("Welch another day", red(run(GroupRule::welch, true, 0)));
  row.share("compare at once", red(run(GroupRule::compare, false, 0)));
  const SuiteOutcome other_day = run(GroupRule::compare, true, 0);
  const Share false_red = red(other_day);
  row.share("compare another day", false_red);
  row.share("of its cases open", share_of(other_day.inconclusive, other_day.metrics));
  const SuiteOutcome matters = run(GroupRule::compare, true, Margins{}.matter);
  row.share("false pass at +5 %", share_of(matters.passed, matters.metrics));
  row.end();
  return false_red;
}

}  // namespace

void group_table(const LabRequest& request, LabReport& report) {
  RowWriter row(
      fmt::format("One build after the other: red suites of 20 unchanged cases, 5 processes a side, {} suites "
                  "a row",
                  request.suites),
      "groups", report.csv);
  for (const NoiseModel& model : noise_models()) {
    // A group has one build's processes only, so what tells sides apart has no meaning here.
    if (model.knows_its_side || model.head_spread_factor != 1) continue;
    const Share false_red = group_row({.model = model, .suites = request.suites, .seed = request.seed}, row);
    if (false_red.lower > promised)
      report.broken.push_back(fmt::format("{}: false red suites of two measurements {}", model.name, show(false_red)));
  }
}

}  // namespace stepgate::lab
