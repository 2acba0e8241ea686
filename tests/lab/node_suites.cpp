#include "lab/node_suites.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/metric.h"
#include "judge/verdict/control_check.h"
#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

/// Pairs of the control of one node (node_control_pairs in experiment/nodes, which the lab does not link).
constexpr std::size_t control_pairs = 4;

/// The machine keeps a reference to its noise.
struct FleetNode {
  NoiseModel noise;
  std::unique_ptr<NoisyMachine> machine;
  double odd_build = 0;
  double odd_side = 0;
  bool rejected = false;
  double explained = 0;  ///< by its control, of a red of any case
};

NoiseModel noise_of_node(const FleetModel& fleet, NoisyMachine& draws) {
  NoiseModel noise = fleet.noise;
  noise.process_sd *= std::exp(fleet.noise_spread * draws.normal());
  if (draws.draw(fleet.busy_share)) {
    noise.burst_start = 0.2;
    noise.burst_end = 0.25;
    noise.burst_size = 0.1;
  }
  return noise;
}

void check_node(FleetNode& node) {
  SimulatedPairs pairs;
  node.machine->measure(node.machine->environments(control_pairs), std::expm1(node.odd_side), pairs);
  ControlResult control;
  for (std::size_t i = 0; i < control_pairs; ++i)
    control.pairs.push_back({std::exp(pairs.base[i]), std::exp(pairs.head[i]), pairs.head_first[i]});
  const ControlCheck check = check_control(control);
  node.rejected = check.outcome == ControlCheck::Outcome::moved;
  // No case of the lab is that of a control: each node measures its own with another one.
  node.explained = explained_by_control(check, control_factor(control, "another case", *find_metric("step_time_ns")));
}

std::vector<FleetNode> make_fleet(const NodeSuites& plan, NoisyMachine& draws) {
  std::vector<FleetNode> fleet(static_cast<std::size_t>(plan.nodes));
  for (FleetNode& node : fleet) {
    node.noise = noise_of_node(plan.fleet, draws);
    node.machine = std::make_unique<NoisyMachine>(node.noise, draws.generator()());
  }
  fleet.front().odd_build = std::log1p(plan.fleet.odd_build);
  fleet.front().odd_side = std::log1p(plan.fleet.odd_side);
  for (FleetNode& node : fleet) check_node(node);
  return fleet;
}

/// The pairs of a case by round: index i on node i modulo the nodes.
SimulatedPairs pairs_of_case(const NodeSuites& plan, std::vector<FleetNode>& fleet, NoisyMachine& draws) {
  std::vector<double> head_is_slower;
  for (const FleetNode& node : fleet)
    head_is_slower.push_back(node.odd_build + node.odd_side + plan.fleet.node_build_sd * draws.normal());
  const auto most = static_cast<std::size_t>(most_pairs(plan.rule.plan()));
  const auto tries = static_cast<std::size_t>(most_tries(static_cast<std::int64_t>(most)));
  SimulatedPairs all;
  SimulatedPairs one;
  for (std::size_t i = 0; i < tries && all.differences.size() < most; ++i) {
    FleetNode& node = fleet[i % fleet.size()];
    if (node.rejected) continue;
    node.machine->measure(node.machine->environments(1), plan.change, one);
    const double slower = head_is_slower[i % fleet.size()];
    all.base.push_back(one.base.front());
    all.head.push_back(one.head.front() + slower);
    all.differences.push_back(one.differences.front() + slower);
  }
  return all;
}

NodeOutcome one_suite(const NodeSuites& plan, std::uint64_t seed) {
  NoisyMachine draws({}, seed);
  std::vector<FleetNode> fleet = make_fleet(plan, draws);
  NodeOutcome outcome;
  outcome.nodes = plan.nodes;
  outcome.rejected_nodes =
      std::count_if(fleet.begin(), fleet.end(), [](const FleetNode& node) { return node.rejected; });
  const bool too_many = 2 * outcome.rejected_nodes >= plan.nodes;
  double explained = 0;
  for (const FleetNode& node : fleet) explained = std::max(explained, node.explained);
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    const SimulatedPairs pairs = pairs_of_case(plan, fleet, draws);
    const PairedDecision decision = decide_pairs(pairs.differences, Margins{}, plan.rule, {pairs.base, pairs.head});
    const bool red = decision.call == Call::regressed;
    const bool stays = too_many ? stays_red(decision, Margins{}, explained) : red;
    ++outcome.metrics;
    outcome.regressed += stays;
    outcome.improved += decision.call == Call::improved;
    outcome.passed += decision.call == Call::pass;
    outcome.inconclusive += decision.call == Call::inconclusive || (red && !stays);
    outcome.pairs += decision.call == Call::inconclusive ? std::ssize(pairs.differences) : decision.analysis;
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  return outcome;
}

}  // namespace

NodeOutcome& NodeOutcome::operator+=(const NodeOutcome& other) {
  SuiteOutcome::operator+=(other);
  nodes += other.nodes;
  rejected_nodes += other.rejected_nodes;
  return *this;
}

std::vector<FleetModel> fleet_models() {
  const NoiseModel bimodal = {.name = "two-modes", .second_mode_share = 0.3, .second_mode_shift = 0.03};
  return {{.name = "same noise everywhere"},
          {.name = "nodes differ in noise", .noise_spread = 0.8},
          {.name = "two modes of processes", .noise = bimodal},
          {.name = "one node in four busy", .busy_share = 0.25},
          {.name = "one node favours a side by 5 %", .odd_side = 0.05},
          {.name = "node x build, sd 0.5 %", .node_build_sd = 0.005},
          {.name = "node x build, sd 1 %", .node_build_sd = 0.01, .beyond_promise = true},
          {.name = "head +5 % on one node", .odd_build = 0.05, .beyond_promise = true}};
}

NodeOutcome simulate(const NodeSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, seed); });
}

}  // namespace stepgate::lab
