// The table of pairs over several machines.
#include <fmt/format.h>

#include "lab/lab_tables.h"
#include "lab/node_suites.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

struct FleetOutcomes {
  NodeOutcome none;
  NodeOutcome ignorable;
  NodeOutcome mattering;
};

FleetOutcomes simulate_changes(NodeSuites plan) {
  const auto at = [&](double change) {
    plan.change = change;
    ++plan.seed;
    return simulate(plan);
  };
  FleetOutcomes outcomes;
  outcomes.none = at(0);
  outcomes.ignorable = at(Margins{}.ignore);
  outcomes.mattering = at(Margins{}.matter);
  return outcomes;
}

/// On a single node, how the head build runs there is how it runs.
bool is_promised(const FleetModel& fleet, std::int64_t nodes) {
  return !fleet.beyond_promise && (fleet.node_build_sd == 0 || nodes > 1);
}

void check_fleet(const FleetModel& fleet, const FleetOutcomes& outcomes, LabReport& report) {
  const auto keep = [&](const Share& share, const char* what) {
    if (share.lower > promised_share) report.broken.push_back(fmt::format("{}: {} {}", fleet.name, what, show(share)));
  };
  keep(share_of(outcomes.none.red_suites, outcomes.none.suites), "false red suites at 0");
  keep(share_of(outcomes.ignorable.red_suites, outcomes.ignorable.suites), "false red suites at the ignore margin");
  keep(share_of(outcomes.mattering.passed, outcomes.mattering.metrics), "false pass at the matter margin");
}

void print_fleet(const FleetModel& fleet, std::int64_t nodes, const FleetOutcomes& outcomes, RowWriter& row) {
  row.begin(
      fmt::format("{}{}, {} node{}", fleet.name, is_promised(fleet, nodes) ? "" : " *", nodes, nodes == 1 ? "" : "s"));
  row.share("false red at 0", share_of(outcomes.none.red_suites, outcomes.none.suites));
  row.share("false red at +1 %", share_of(outcomes.ignorable.red_suites, outcomes.ignorable.suites));
  row.share("false pass at +5 %", share_of(outcomes.mattering.passed, outcomes.mattering.metrics));
  row.share("red at +5 %", share_of(outcomes.mattering.regressed, outcomes.mattering.metrics));
  row.share("nodes rejected", share_of(outcomes.none.rejected_nodes, outcomes.none.nodes));
  row.end();
}

}  // namespace

void nodes_table(const LabRequest& request, LabReport& report) {
  const PairRule rule(default_pair_plan(), {.red = promised_share / cases_of_suite, .pass = promised_share});
  RowWriter row(fmt::format("A/B by round over nodes, {} cases, M = {}, {} suites a row (* a build that is slower on "
                            "some nodes)",
                            cases_of_suite, cases_of_suite, request.suites),
                "nodes", report.csv);
  for (const FleetModel& fleet : fleet_models()) {
    for (const std::int64_t nodes : {1, 2, 3, 4, 5, 8}) {
      const FleetOutcomes outcomes = simulate_changes({.fleet = fleet,
                                                       .rule = rule,
                                                       .nodes = nodes,
                                                       .suites = request.suites,
                                                       .cases = cases_of_suite,
                                                       .seed = request.seed});
      print_fleet(fleet, nodes, outcomes, row);
      if (is_promised(fleet, nodes)) check_fleet(fleet, outcomes, report);
    }
  }
}

}  // namespace stepgate::lab
