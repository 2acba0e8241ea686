#include "lab/paired_suites.h"

#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

void count(const PairedDecision& decision, std::int64_t most, SuiteOutcome& outcome) {
  ++outcome.metrics;
  outcome.regressed += decision.call == Call::regressed;
  outcome.improved += decision.call == Call::improved;
  outcome.passed += decision.call == Call::pass;
  outcome.inconclusive += decision.call == Call::inconclusive;
  outcome.pairs += decision.call == Call::inconclusive ? most : decision.analysis;
}

/// One suite: its cases run one after another on one machine and measure all pairs; the rule selects the deciding
/// interim analysis.
SuiteOutcome one_suite(const PairedSuites& plan, std::uint64_t seed) {
  NoisyMachine machine(plan.model, seed);
  const std::int64_t most = most_pairs(plan.rule.plan());
  SuiteOutcome outcome;
  SimulatedPairs pairs;
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    const auto environments = machine.environments(static_cast<std::size_t>(most));
    for (std::int64_t metric = 0; metric < plan.metrics_per_case; ++metric) {
      machine.measure(environments, plan.change, pairs);
      count(decide_pairs(pairs.differences, Margins{}, plan.rule, {pairs.base, pairs.head}), most, outcome);
    }
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  return outcome;
}

}  // namespace

SuiteOutcome simulate(const PairedSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, seed); });
}

double simulated_detectable_change(PairedSuites plan) {
  const auto outcome_at = [&plan](double change) {
    plan.change = change;
    return simulate(plan);
  };
  return smallest_detected_change(outcome_at, 2e-4);
}

}  // namespace stepgate::lab
