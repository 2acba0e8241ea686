#include "lab/control/control_suites.h"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/metric.h"
#include "judge/verdict/control_check.h"
#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

constexpr const char* measured_metric = "step_time_ns";

NoiseModel named_noise(std::string_view name) {
  const auto models = noise_models();
  const NoiseModel* found = find_model(models, name);
  if (found == nullptr) throw std::invalid_argument("no model of noise is named " + std::string(name));
  return *found;
}

ControlResult measure_control(NoisyMachine& machine, const ControlModel& model, std::int64_t pairs,
                              std::string case_name) {
  SimulatedPairs simulated;
  const auto count = static_cast<std::size_t>(pairs);
  machine.measure(machine.environments(count), std::expm1(model.bias), simulated);
  ControlResult control{.case_name = std::move(case_name), .metric = measured_metric, .pairs = {}};
  for (std::size_t i = 0; i < count; ++i)
    control.pairs.push_back({std::exp(simulated.base[i]), std::exp(simulated.head[i]), simulated.head_first[i]});
  return control;
}

/// Whether the red of one case stays, by each rule.
struct Stays {
  bool by_rule = false;
  bool if_any_moves = false;
};

Stays stays_beside(const ControlResult& control, const std::string& case_name, const PairedDecision& decision) {
  const ControlCheck check = check_control(control);
  const double factor = control_factor(control, case_name, *find_metric(measured_metric));
  const bool moved = check.outcome == ControlCheck::Outcome::moved;
  return {!moved || stays_red(decision, Margins{}, explained_by_control(check, factor)), !moved};
}

ControlOutcome one_suite(const ControlSuites& plan, std::uint64_t seed) {
  const ControlModel& model = plan.model;
  NoisyMachine machine(model.noise, seed);
  NoisyMachine beside(model.noise, ~seed);
  const auto most = static_cast<std::size_t>(most_pairs(plan.rule.plan()));
  ControlOutcome outcome;
  std::optional<ControlResult> control;
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    SimulatedPairs pairs;
    machine.measure(machine.environments(most), std::expm1(std::log1p(plan.change) + model.bias * model.hit), pairs);
    const PairedDecision decision = decide_pairs(pairs.differences, Margins{}, plan.rule, {pairs.base, pairs.head});
    const bool red = decision.call == Call::regressed;
    const std::string name = model.handed_on ? "later" : std::to_string(i);
    if (red && (!control || !model.handed_on))
      control = measure_control(beside, model, decision.analysis, model.handed_on ? "first" : name);
    const Stays stays = red ? stays_beside(*control, name, decision) : Stays{};
    ++outcome.metrics;
    outcome.regressed += stays.by_rule;
    outcome.regressed_if_any_moves += stays.if_any_moves;
    outcome.red_suites_without = outcome.red_suites_without != 0 || red;
    outcome.improved += decision.call == Call::improved;
    outcome.passed += decision.call == Call::pass;
    outcome.inconclusive += decision.call == Call::inconclusive || (red && !stays.by_rule);
    outcome.pairs += decision.call == Call::inconclusive ? std::ssize(pairs.differences) : decision.analysis;
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  outcome.red_suites_if_any_moves = outcome.regressed_if_any_moves > 0;
  return outcome;
}

}  // namespace

ControlOutcome& ControlOutcome::operator+=(const ControlOutcome& other) {
  SuiteOutcome::operator+=(other);
  red_suites_if_any_moves += other.red_suites_if_any_moves;
  regressed_if_any_moves += other.regressed_if_any_moves;
  red_suites_without += other.red_suites_without;
  return *this;
}

std::vector<ControlModel> control_models() {
  const NoiseModel noisy = {.name = "process-3%", .process_sd = 0.03};
  return {{.name = "unbiased, process noise 0.5 %"},
          {.name = "unbiased, process noise 3 %", .noise = noisy},
          {.name = "unbiased, one control for all", .handed_on = true},
          {.name = "copy 0.3 % slower", .bias = 0.003},
          {.name = "copy 0.3 % slower, head twice that", .bias = 0.003, .hit = 2},
          {.name = "copy 0.3 % slower, one control for all", .bias = 0.003, .handed_on = true},
          {.name = "copy 1 % slower", .bias = 0.01},
          {.name = "copy 1 % slower, head twice that", .bias = 0.01, .hit = 2, .beyond_promise = true},
          {.name = "copy 1 % slower, one control for all", .bias = 0.01, .handed_on = true},
          {.name = "copy 3 % slower", .bias = 0.03},
          {.name = "copy 3 % slower, head twice that", .bias = 0.03, .hit = 2},
          {.name = "copy 3 % slower, heads ten times that, one control for all",
           .bias = 0.03,
           .hit = 10,
           .handed_on = true},
          {.name = "copy 3 % slower, heads four times that", .bias = 0.03, .hit = 4, .beyond_promise = true},
          {.name = "head-bursts", .noise = named_noise("head-bursts"), .beyond_promise = true},
          {.name = "ar-differences", .noise = named_noise("ar-differences"), .beyond_promise = true}};
}

ControlOutcome simulate(const ControlSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, seed); });
}

}  // namespace stepgate::lab
