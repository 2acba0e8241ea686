#include "lab/request_suites.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "judge/rules/following_rule.h"
#include "lab/on_threads.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate::lab {
namespace {

/// What a process says of its requests, on the log scale.
struct ProcessValues {
  double mean;
  double p99;
  double highest;
};

ProcessValues reduced(const std::vector<double>& latencies) {
  constexpr double probabilities[] = {0.99, 1};
  const std::vector<double> found = quantiles(latencies, probabilities);
  return {std::log(mean(latencies)), std::log(found[0]), std::log(found[1])};
}

/// One metric of the pairs so far.
struct MetricPairs {
  std::vector<double> base = {};
  std::vector<double> head = {};
  std::vector<double> differences = {};

  void add(double of_base, double of_head) {
    base.push_back(of_base);
    head.push_back(of_head);
    differences.push_back(of_head - of_base);
  }
};

/// One inference case, measured pair by pair.
class CasePairs {
 public:
  CasePairs(const RequestSuites& plan, RequestMachine& machine) : plan_(plan), machine_(machine) {}

  void measure_up_to(std::int64_t pairs) {
    while (std::ssize(mean_.differences) < pairs) {
      const bool head_first = machine_.draw(0.5);
      ProcessValues first = process(head_first);
      ProcessValues second = process(!head_first);
      if (head_first) std::swap(first, second);
      mean_.add(first.mean, second.mean);
      p99_.add(first.p99, second.p99);
      highest_.push_back(second.highest - first.highest);
    }
  }
  const MetricPairs& mean_pairs() const { return mean_; }
  const MetricPairs& p99_pairs() const { return p99_; }
  const std::vector<double>& highest() const { return highest_; }

 private:
  ProcessValues process(bool of_head) {
    machine_.next_process(plan_.requests, of_head ? plan_.fault : RequestFault{}, latencies_);
    return reduced(latencies_);
  }

  const RequestSuites& plan_;
  RequestMachine& machine_;
  std::vector<double> latencies_;
  MetricPairs mean_;
  MetricPairs p99_;
  std::vector<double> highest_;
};

/// The rules of a suite: one for the mean, which leads, and one for P99, which follows.
struct SuiteRules {
  PairRule mean;
  PairRule p99;
};

void count_call(const PairedDecision& decision, std::int64_t most, SuiteOutcome& outcome) {
  ++outcome.metrics;
  outcome.regressed += decision.call == Call::regressed;
  outcome.improved += decision.call == Call::improved;
  outcome.passed += decision.call == Call::pass;
  outcome.inconclusive += decision.call == Call::inconclusive;
  outcome.pairs += decision.call == Call::inconclusive ? most : decision.analysis;
}

/// As a red case tests what only explains it: one-sided against the ignore margin, over all pairs.
bool is_slower(const std::vector<double>& differences, double ignore) {
  const double error = std::sqrt(sample_variance(differences) / static_cast<double>(differences.size()));
  if (!(error > 0)) return false;
  const double t = (mean(differences) - std::log1p(ignore)) / error;
  return student_t_upper_tail(t, static_cast<double>(differences.size() - 1)) <= Policy{}.alpha;
}

void run_case(const RequestSuites& plan, const SuiteRules& rules, RequestMachine& machine, RequestOutcome& outcome) {
  CasePairs pairs(plan, machine);
  PairedDecision by_mean;
  PairedDecision by_p99;
  bool left_open = false;
  for (const InterimAnalysis& analysis : rules.mean.plan().analyses) {
    pairs.measure_up_to(analysis.pairs);
    const auto decision_on = [](const MetricPairs& of_metric, const Margins& margins, const PairRule& rule) {
      return decide_pairs(of_metric.differences, margins, rule, {of_metric.base, of_metric.head});
    };
    const bool was_open = by_mean.call == Call::inconclusive;
    if (was_open) by_mean = decision_on(pairs.mean_pairs(), plan.mean_margins, rules.mean);
    if (by_p99.call == Call::inconclusive) by_p99 = decision_on(pairs.p99_pairs(), plan.p99_margins, rules.p99);
    if (by_mean.call == Call::inconclusive) continue;
    if (was_open) left_open = may_stay_undecided(by_p99, plan.p99_margins);
    if (by_p99.call != Call::inconclusive) break;
  }
  const std::int64_t most = most_pairs(rules.mean.plan());
  count_call(by_mean, most, outcome.mean);
  count_call(by_p99, most, outcome.p99);
  outcome.p99_left_open += left_open;
  const bool red = by_mean.call == Call::regressed || by_p99.call == Call::regressed;
  if (red) outcome.highest_red += is_slower(pairs.highest(), plan.p99_margins.ignore);
}

RequestOutcome one_suite(const RequestSuites& plan, const SuiteRules& rules, std::uint64_t seed) {
  RequestMachine machine(plan.noise, seed);
  RequestOutcome outcome;
  for (std::int64_t i = 0; i < plan.cases; ++i) run_case(plan, rules, machine, outcome);
  outcome.mean.suites = outcome.p99.suites = 1;
  outcome.mean.red_suites = outcome.mean.regressed > 0;
  outcome.p99.red_suites = outcome.p99.regressed > 0;
  outcome.red_suites = outcome.mean.regressed + outcome.p99.regressed > 0;
  return outcome;
}

}  // namespace

RequestOutcome& RequestOutcome::operator+=(const RequestOutcome& other) {
  red_suites += other.red_suites;
  mean += other.mean;
  p99 += other.p99;
  p99_left_open += other.p99_left_open;
  highest_red += other.highest_red;
  return *this;
}

RequestOutcome simulate(const RequestSuites& plan) {
  const ErrorShares shares{.red = Policy{}.alpha / static_cast<double>(plan.hypotheses), .pass = Policy{}.beta};
  const SuiteRules rules{PairRule(default_pair_plan(), shares), PairRule(following_pair_plan(), shares)};
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, rules, seed); });
}

}  // namespace stepgate::lab
