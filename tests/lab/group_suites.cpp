#include "lab/group_suites.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "judge/interval/welch_estimate.h"
#include "judge/verdict/judge_case.h"
#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

constexpr double step_ns = 20e6;
constexpr std::uint64_t next_day = 0x5851f42d4c957f2dU;

/// Logs of processes one after another; whose side a pair's slot belongs to means nothing here.
std::vector<double> processes_in_turn(NoisyMachine& machine, std::size_t count) {
  const auto environments = machine.environments((count + 1) / 2);
  SimulatedPairs pairs;
  machine.measure(environments, 0, pairs);
  std::vector<double> values;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    values.push_back(environments[i].head_first ? pairs.head[i] : pairs.base[i]);
    values.push_back(environments[i].head_first ? pairs.base[i] : pairs.head[i]);
  }
  values.resize(count);
  return values;
}

using LogValues = std::vector<double>;

std::vector<LogValues> whole_suite(const GroupSuites& plan, NoisyMachine& machine) {
  std::vector<LogValues> groups;
  for (std::int64_t i = 0; i < plan.cases; ++i) groups.push_back(processes_in_turn(machine, plan.processes));
  return groups;
}

Status by_welch(const GroupSuites& plan, const LogValues& base, const LogValues& head) {
  const Policy policy;
  const ErrorShares shares{.red = policy.alpha / static_cast<double>(plan.cases), .pass = policy.beta};
  switch (decide(welch_estimate(base, head), policy.margins, shares).call) {
    case Call::regressed:
      return Status::regressed;
    case Call::improved:
      return Status::improved;
    case Call::pass:
      return Status::pass;
    case Call::inconclusive:
      break;
  }
  return Status::inconclusive;
}

std::map<std::string, std::vector<double>> timed(const LogValues& logs) {
  std::vector<double> steps;
  for (double log : logs) steps.push_back(step_ns * std::exp(log));
  return {{"step_time_ns", steps}, {"reference_step_ns", std::vector<double>(logs.size(), 5e6)}};
}

Status by_compare(const GroupSuites& plan, const LogValues& base, const LogValues& head) {
  CaseValues current;
  current.case_name = "lab/groups/case";
  current.clean_timed = std::ssize(head);
  current.timed = timed(head);
  CaseValues before = current;
  before.timed = timed(base);
  Baseline runner;
  runner.scope = Scope::runner;
  runner.sessions = {Session{.utc = "", .unix_s = 1'700'000'000, .commit = "", .timed = before.timed}};
  return judge_case({.current = current,
                     .runner = &runner,
                     .policy = Policy{},
                     .hypotheses = plan.cases,
                     .judge_exact = false,
                     .today = "2026-11-21",
                     .base_group = &before})
      .status;
}

SuiteOutcome one_suite(const GroupSuites& plan, std::uint64_t seed) {
  NoisyMachine before(plan.model, seed);
  NoisyMachine later(plan.model, seed + next_day);
  const std::vector<LogValues> base = whole_suite(plan, before);
  std::vector<LogValues> head = whole_suite(plan, plan.another_day ? later : before);
  SuiteOutcome outcome;
  for (std::size_t i = 0; i < base.size(); ++i) {
    for (double& log : head[i]) log += std::log1p(plan.change);
    const bool welch = plan.rule == GroupRule::welch;
    outcome.add(welch ? by_welch(plan, base[i], head[i]) : by_compare(plan, base[i], head[i]));
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  return outcome;
}

}  // namespace

SuiteOutcome simulate(const GroupSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, seed); });
}

}  // namespace stepgate::lab
