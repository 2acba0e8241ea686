#include "lab/case_runs.h"

#include <algorithm>
#include <span>
#include <vector>

#include "judge/rules/following_rule.h"
#include "lab/noisy_machine.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

constexpr std::size_t leading_times = 3;
constexpr std::size_t all_times = 5;
constexpr double promised_error = 0.05;

bool is_first_step(std::size_t time) { return time == leading_times; }

bool changes(const CaseRuns& plan, std::size_t time) {
  if (time < leading_times) return false;
  return is_first_step(time) ? plan.first_step_changes : plan.supply_changes;
}

/// Whether an undecided following time keeps no run open that the leading ones have decided.
bool is_left(const CaseRuns& plan, std::size_t time, const PairedDecision& decision) {
  if (plan.ending == Ending::all_decide) return false;
  if (plan.ending == Ending::as_built && is_first_step(time)) return is_too_noisy(decision, plan.following_margins);
  return may_stay_undecided(decision, plan.following_margins);
}

struct Rules {
  PairRule leading;
  PairRule following;
};

Rules rules_of(const CaseRuns& plan) {
  const ErrorShares shares{.red = promised_error / static_cast<double>(plan.cases * std::int64_t{all_times}),
                           .pass = promised_error};
  const bool apart = plan.ending != Ending::all_decide;
  return {PairRule(default_pair_plan(), shares), PairRule(apart ? following_pair_plan() : default_pair_plan(), shares)};
}

/// How one run stands after an interim analysis.
struct Standing {
  bool red = false;
  bool leading_decided = true;
  bool following_open = false;  ///< undecided, and not to be left so
  bool gaps = false;            ///< undecided, and may stay so
  std::int64_t following_passed = 0;
};

Standing standing_after(const std::vector<SimulatedPairs>& times, std::size_t pairs, const CaseRuns& plan,
                        const Rules& rules) {
  Standing standing;
  for (std::size_t i = 0; i < all_times; ++i) {
    const bool follows = i >= leading_times;
    const Margins margins = follows ? plan.following_margins : Margins{};
    const std::span<const double> seen = std::span(times[i].differences).first(pairs);
    const PairedDecision decision =
        decide_pairs(seen, margins, follows ? rules.following : rules.leading,
                     {std::span(times[i].base).first(pairs), std::span(times[i].head).first(pairs)});
    standing.red = standing.red || decision.call == Call::regressed;
    standing.following_passed += changes(plan, i) && (decision.call == Call::pass || decision.call == Call::improved);
    if (decision.call != Call::inconclusive) continue;
    if (!follows) standing.leading_decided = false;
    if (follows && is_left(plan, i, decision)) {
      standing.gaps = true;
    } else if (follows) {
      standing.following_open = true;
    }
  }
  return standing;
}

void run_case(const std::vector<SimulatedPairs>& times, const CaseRuns& plan, const Rules& rules,
              CaseRunsOutcome& outcome) {
  Standing standing;
  std::int64_t pairs = 0;
  for (const InterimAnalysis& analysis : rules.leading.plan().analyses) {
    pairs = analysis.pairs;
    standing = standing_after(times, static_cast<std::size_t>(pairs), plan, rules);
    if (standing.red || (standing.leading_decided && !standing.following_open)) break;
  }
  ++outcome.cases;
  ++outcome.ended[static_cast<std::size_t>(pairs)];
  outcome.following += (plan.first_step_changes ? 1 : 0) + (plan.supply_changes ? 1 : 0);
  outcome.following_passed += standing.following_passed;
  if (standing.red) {
    ++outcome.red;
  } else if (!standing.leading_decided || standing.following_open) {
    ++outcome.inconclusive;
  } else {
    ++(standing.gaps ? outcome.green_with_gaps : outcome.green);
  }
}

CaseRunsOutcome one_suite(const CaseRuns& plan, const Rules& rules, std::uint64_t seed) {
  NoisyMachine machine(plan.model, seed);
  // Another seed for each, so that their processes are independent.
  NoisyMachine first_step(plan.first_step, seed + 0x5851f42d4c957f2dU);
  NoisyMachine supply(plan.supply, seed + 0x14057b7ef767814fU);
  const auto most = static_cast<std::size_t>(most_pairs(rules.leading.plan()));
  CaseRunsOutcome outcome;
  std::vector<SimulatedPairs> times(all_times);
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    const auto environments = machine.environments(most);
    for (std::size_t time = 0; time < all_times; ++time) {
      const bool follows = time >= leading_times;
      NoisyMachine& own = !follows ? machine : is_first_step(time) ? first_step : supply;
      const double of_following = changes(plan, time) ? plan.following_change : 0;
      own.measure(environments, follows ? of_following : plan.leading_change, times[time]);
    }
    run_case(times, plan, rules, outcome);
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.red > 0;
  return outcome;
}

}  // namespace

CaseRunsOutcome& CaseRunsOutcome::operator+=(const CaseRunsOutcome& other) {
  suites += other.suites;
  red_suites += other.red_suites;
  cases += other.cases;
  red += other.red;
  green += other.green;
  green_with_gaps += other.green_with_gaps;
  inconclusive += other.inconclusive;
  following += other.following;
  following_passed += other.following_passed;
  for (std::size_t i = 0; i < ended.size(); ++i) ended[i] += other.ended[i];
  return *this;
}

std::int64_t CaseRunsOutcome::pairs_at(double share) const {
  std::int64_t seen = 0;
  for (std::size_t pairs = 0; pairs < ended.size(); ++pairs) {
    seen += ended[pairs];
    if (static_cast<double>(seen) >= share * static_cast<double>(cases)) return static_cast<std::int64_t>(pairs);
  }
  return 0;
}

CaseRunsOutcome simulate(const CaseRuns& plan) {
  const Rules rules = rules_of(plan);
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, rules, seed); });
}

}  // namespace stepgate::lab
