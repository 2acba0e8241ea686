// Tables of interleaved pairs.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "lab/lab_tables.h"
#include "lab/paired_suites.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

constexpr double promised_detection = 0.99;

/// A table row for one model with three true changes.
struct ThreeChanges {
  SuiteOutcome none;
  SuiteOutcome ignorable;
  SuiteOutcome mattering;
};

ThreeChanges simulate_all(PairedSuites plan) {
  ThreeChanges result;
  plan.change = 0;
  result.none = simulate(plan);
  plan.change = Margins{}.ignore;
  ++plan.seed;
  result.ignorable = simulate(plan);
  plan.change = Margins{}.matter;
  ++plan.seed;
  result.mattering = simulate(plan);
  return result;
}

void check_promises(const NoiseModel& model, const ThreeChanges& three, LabReport& report) {
  if (model.knows_its_side) return;
  const auto keep = [&](const Share& share, const char* what) {
    if (share.lower > promised_share) report.broken.push_back(fmt::format("{}: {} {}", model.name, what, show(share)));
  };
  keep(share_of(three.none.red_suites, three.none.suites), "false red suites at 0");
  keep(share_of(three.ignorable.red_suites, three.ignorable.suites), "false red suites at the ignore margin");
  keep(share_of(three.mattering.passed, three.mattering.metrics), "false pass at the matter margin");
  const Share red = share_of(three.mattering.regressed, three.mattering.metrics);
  const bool promises_detection = model.name == "process-0.5%" || model.name == "process-1%";
  if (promises_detection && red.upper < promised_detection) {
    report.broken.push_back(fmt::format("{}: +5 % is red in {}", model.name, show(red)));
  }
}

void print_row(const NoiseModel& model, const ThreeChanges& three, RowWriter& row) {
  row.begin(model.name + (model.knows_its_side ? " *" : ""));
  row.share("false red at 0", share_of(three.none.red_suites, three.none.suites));
  row.share("false red at +1 %", share_of(three.ignorable.red_suites, three.ignorable.suites));
  row.share("false pass at +5 %", share_of(three.mattering.passed, three.mattering.metrics));
  row.share("red at +5 %", share_of(three.mattering.regressed, three.mattering.metrics));
  row.share("inconclusive at 0", share_of(three.none.inconclusive, three.none.metrics));
  row.number("pairs at 0", static_cast<double>(three.none.pairs) / static_cast<double>(three.none.metrics));
  row.number("pairs at +5 %",
             static_cast<double>(three.mattering.pairs) / static_cast<double>(three.mattering.metrics));
  row.end();
}

std::vector<NoiseModel> all_models(const LabRequest& request) {
  std::vector<NoiseModel> models = noise_models();
  const std::vector<NoiseModel> recorded = recorded_models(request.traces);
  if (recorded.empty()) fmt::print("no recorded traces in '{}': that row is missing\n", request.traces);
  models.insert(models.end(), recorded.begin(), recorded.end());
  return models;
}

PairRule rule_for(const PairPlan& plan, std::int64_t hypotheses) {
  return PairRule(plan, {.red = promised_share / static_cast<double>(hypotheses), .pass = promised_share});
}

}  // namespace

void paired_table(const LabRequest& request, std::int64_t metrics_per_case, LabReport& report) {
  const std::int64_t hypotheses = cases_of_suite * metrics_per_case;
  const PairRule rule = rule_for(default_pair_plan(), hypotheses);
  const std::string title = fmt::format("A/B, {} cases x {} metrics, M = {}, {} suites a row (* knows its side)",
                                        cases_of_suite, metrics_per_case, hypotheses, request.suites);
  RowWriter row(title, fmt::format("paired-M{}", hypotheses), report.csv);
  for (const NoiseModel& model : all_models(request)) {
    const ThreeChanges three = simulate_all({.model = model,
                                             .rule = rule,
                                             .suites = request.suites,
                                             .cases = cases_of_suite,
                                             .metrics_per_case = metrics_per_case,
                                             .seed = request.seed});
    print_row(model, three, row);
    check_promises(model, three, report);
  }
}

void detection_table(const LabRequest& request, LabReport& report) {
  RowWriter row("Change detected in 95 % of cases, fixed pairs and analyses (analytic: noncentral t)", "mde",
                report.csv);
  for (const std::int64_t hypotheses : {20, 60, 100}) {
    for (const double noise : {0.005, 0.01, 0.03}) {
      const NoiseModel model{.name = "process", .process_sd = noise};
      row.begin(fmt::format("M = {}, process noise {:.1f} %", hypotheses, 100 * noise));
      const auto add = [&](const std::string& name, const PairPlan& plan) {
        const PairRule rule = rule_for(plan, hypotheses);
        const double simulated = simulated_detectable_change({.model = model,
                                                              .rule = rule,
                                                              .suites = std::max<std::int64_t>(request.suites / 20, 50),
                                                              .cases = cases_of_suite});
        row.percent(name, simulated);
        row.percent(plan.analyses.size() == 1 ? "analytic" : "stated",
                    rule.detectable_change(noise * std::sqrt(2.0), Margins{}));
      };
      for (const std::int64_t pairs : {4, 8, 12, 16}) add(fmt::format("{} pairs", pairs), fixed_pair_plan(pairs));
      add("analyses", default_pair_plan());
      row.end();
    }
  }
}

}  // namespace stepgate::lab
