// The table of builds that work beside their steps.
#include <fmt/format.h>

#include "judge/interval/pair_plan.h"
#include "lab/background_suites.h"
#include "lab/lab_tables.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

struct BackgroundRow {
  const char* name;
  double base_work;
  double head_work;
  bool looks;
  bool is_slower;  ///< of the builds, not of the measurement
};

constexpr BackgroundRow background_rows[] = {
    {"head, 100 % of a CPU", 0, 1, true, true},
    {"head, 10 %", 0, 0.1, true, true},
    {"head, 0.5 %: stays in windows", 0, 0.005, true, false},
    {"both, 100 %", 1, 1, true, false},
    {"both, 1 %: now and then", 0.01, 0.01, true, false},
    {"head, 100 %, nobody looks", 0, 1, false, true},
};

/// Of true regressions; as for pairs in windows with twice the noise.
constexpr double promised_found = 0.95;

}  // namespace

void background_table(const LabRequest& request, LabReport& report) {
  const NoiseModel model{.name = "process-0.5%"};
  const PairRule rule(default_pair_plan(),
                      {.red = promised_share / static_cast<double>(cases_of_suite), .pass = promised_share});
  RowWriter row(fmt::format("Work beside the step, {} cases, {} suites a row", cases_of_suite, request.suites),
                "background", report.csv);
  for (const BackgroundRow& world : background_rows) {
    const SuiteOutcome outcome = simulate(BackgroundSuites{.model = model,
                                                           .rule = rule,
                                                           .base_work = world.base_work,
                                                           .head_work = world.head_work,
                                                           .looks = world.looks,
                                                           .suites = request.suites,
                                                           .cases = cases_of_suite,
                                                           .seed = request.seed});
    const Share red = share_of(outcome.regressed, outcome.metrics);
    const Share red_suites = share_of(outcome.red_suites, outcome.suites);
    row.begin(world.name);
    row.share("red", red);
    row.share("red suites", red_suites);
    row.share("pass", share_of(outcome.passed, outcome.metrics));
    row.share("inconclusive", share_of(outcome.inconclusive, outcome.metrics));
    row.end();
    if (world.is_slower && world.looks && red.upper < promised_found)
      report.broken.push_back(fmt::format("{}: red in {}", world.name, show(red)));
    if (!world.is_slower && red_suites.lower > promised_share)
      report.broken.push_back(fmt::format("{}: false red suites {}", world.name, show(red_suites)));
  }
}

}  // namespace stepgate::lab
