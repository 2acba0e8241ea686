#include "lab/background_suites.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/record/measured_pair.h"
#include "judge/reduce/waiting_sides.h"
#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

/// docs/figures.md: alternating windows have about a third to a half of the spread of processes one after the other.
constexpr double spread_of_processes = 2;
/// Of the reading of CPU time while a process waits, relative to it.
constexpr double reading_sd = 0.05;

Measurement that_waited(double work, NoisyMachine& machine) {
  Replicate replicate;
  replicate.evidence.values[EvidenceKey::waiting_cpu_fraction] =
      std::max(0.0, work * (1 + reading_sd * machine.normal()));
  Measurement side;
  side.replicates.push_back(std::move(replicate));
  return side;
}

/// Log values of one case, pair by pair, as the sequence of pairs measures them.
class BackgroundCase {
 public:
  BackgroundCase(const BackgroundSuites& plan, NoisyMachine& windows, NoisyMachine& processes)
      : plan_(plan), windows_(windows), processes_(processes) {}

  SimulatedPairs measure() {
    const auto most = static_cast<std::size_t>(most_pairs(plan_.rule.plan()));
    while (judged_.differences.size() < most) alternates_ ? add_in_windows() : add_one_after_the_other();
    return std::move(judged_);
  }

 private:
  void add_in_windows() {
    const double both = std::log1p(plan_.base_work + plan_.head_work);
    add(windows_, both, both);
    if (!plan_.looks) return;
    measured_.push_back(
        {.base = that_waited(plan_.base_work, windows_), .head = that_waited(plan_.head_work, windows_)});
    set_aside_where_busy(measured_);
    if (!is_set_aside(measured_.back())) return;
    alternates_ = false;
    judged_ = {};
  }

  void add_one_after_the_other() { add(processes_, std::log1p(plan_.base_work), std::log1p(plan_.head_work)); }

  void add(NoisyMachine& machine, double of_base, double of_head) {
    SimulatedPairs one;
    machine.measure(machine.environments(1), 0, one);
    judged_.base.push_back(one.base.front() + of_base);
    judged_.head.push_back(one.head.front() + of_head);
    judged_.differences.push_back(judged_.head.back() - judged_.base.back());
  }

  const BackgroundSuites& plan_;
  NoisyMachine& windows_;
  NoisyMachine& processes_;
  std::vector<MeasuredPair> measured_;
  SimulatedPairs judged_;
  bool alternates_ = true;
};

void add_decision(const PairedDecision& decision, std::int64_t most, SuiteOutcome& outcome) {
  ++outcome.metrics;
  outcome.regressed += decision.call == Call::regressed;
  outcome.improved += decision.call == Call::improved;
  outcome.passed += decision.call == Call::pass;
  outcome.inconclusive += decision.call == Call::inconclusive;
  outcome.pairs += decision.call == Call::inconclusive ? most : decision.analysis;
}

SuiteOutcome one_background_suite(const BackgroundSuites& plan, std::uint64_t seed) {
  NoiseModel of_processes = plan.model;
  of_processes.process_sd *= spread_of_processes;
  NoisyMachine windows(plan.model, seed);
  NoisyMachine processes(of_processes, ~seed);
  SuiteOutcome outcome;
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    const SimulatedPairs pairs = BackgroundCase(plan, windows, processes).measure();
    add_decision(decide_pairs(pairs.differences, Margins{}, plan.rule, {pairs.base, pairs.head}),
                 most_pairs(plan.rule.plan()), outcome);
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  return outcome;
}

}  // namespace

SuiteOutcome simulate(const BackgroundSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_background_suite(plan, seed); });
}

}  // namespace stepgate::lab
