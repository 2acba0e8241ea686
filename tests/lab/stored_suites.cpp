#include "lab/stored_suites.h"

#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "judge/verdict/judge_case.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

constexpr double step_ns = 20e6;
constexpr double reference_ns = 5e6;
constexpr std::int64_t minute_s = 60;
constexpr std::int64_t day_s = 86400;
constexpr std::size_t processes = 3;  // per session, the policy's minimum
constexpr double process_sd = 0.003;
constexpr int steps_since = 20;  // steps of the random walk between the last stored session and now

class SessionValues {
 public:
  SessionValues(const StoredSuites& plan, std::uint64_t seed) : plan_(plan), generator_(seed) {}

  /// Levels of the stored sessions, then of the current one.
  std::vector<double> levels() {
    std::vector<double> result;
    double walk = 0;
    const double shared = draw();
    for (std::int64_t i = 0; i <= plan_.sessions; ++i) {
      const bool current = i == plan_.sessions;
      if (plan_.noise == SessionNoise::random_walk) {
        for (int step = 0; step < (current ? steps_since : 1); ++step) walk += draw();
        result.push_back(walk);
      } else {
        result.push_back(plan_.noise == SessionNoise::back_to_back && !current ? shared : draw());
      }
    }
    return result;
  }

  /// Times of the processes around `typical`, on the log scale `level` away.
  std::vector<double> processes_at(double level, double typical = step_ns) {
    std::vector<double> values;
    for (std::size_t i = 0; i < processes; ++i) {
      values.push_back(typical * std::exp(level + process_sd * normal_(generator_)));
    }
    return values;
  }

  /// Processes of the reference case; without noise by default.
  std::vector<double> references_at(double level) {
    if (plan_.reference_sd == 0) return std::vector<double>(processes, reference_ns * std::exp(level));
    return processes_at(level + plan_.reference_sd * normal_(generator_), reference_ns);
  }

  /// What the machine adds to the reference case beside one case of today.
  double machine_now() { return std::log1p(plan_.machine) + plan_.drift_sd * normal_(generator_); }

  /// What the machine adds to a case where it adds `machine` to the reference case.
  double share_of_machine(double machine) { return machine * (1 + plan_.machine_share_sd * normal_(generator_)); }

 private:
  double draw() {
    if (plan_.noise == SessionNoise::t3) return plan_.session_sd * tail_(generator_) / std::sqrt(3.0);
    return plan_.session_sd * normal_(generator_);
  }

  const StoredSuites& plan_;
  std::mt19937_64 generator_;
  boost::random::normal_distribution<double> normal_;
  boost::random::student_t_distribution<double> tail_{3};
};

/// A case with a single gating timed metric.
Comparison one_case(const StoredSuites& plan, SessionValues& values) {
  const std::vector<double> levels = values.levels();
  const double machine = values.machine_now();
  CaseValues current;
  current.case_name = "lab/stored/case";
  current.clean_timed = processes;
  const double now = levels.back() + values.share_of_machine(machine) + std::log1p(plan.change);
  current.timed = {{"reference_step_ns", values.references_at(machine)}, {"step_time_ns", values.processes_at(now)}};
  Baseline runner;
  runner.scope = Scope::runner;
  const std::int64_t gap_s = plan.noise == SessionNoise::back_to_back ? 5 * minute_s : day_s;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    Session session;
    session.unix_s = 1'700'000'000 + static_cast<std::int64_t>(i) * gap_s;
    session.timed = {{"reference_step_ns", values.references_at(0)}, {"step_time_ns", values.processes_at(levels[i])}};
    runner.sessions.push_back(std::move(session));
  }
  return {.current = current,
          .runner = std::move(runner),
          .policy = plan.policy,
          .hypotheses = plan.cases,
          .judge_exact = false,
          .today = "2026-11-21"};
}

using TimedMap = std::map<std::string, std::vector<double>>;

/// The processes of the reference case beside all cases, of the current run or of one session.
template <typename TimedOf>
void pool_references(std::vector<Comparison>& cases, TimedOf timed_of) {
  std::vector<double> all;
  for (Comparison& each : cases) {
    const std::vector<double>& own = timed_of(each).at("reference_step_ns");
    all.insert(all.end(), own.begin(), own.end());
  }
  for (Comparison& each : cases) timed_of(each)["reference_step_ns"] = all;
}

void take_references(const StoredSuites& plan, std::vector<Comparison>& cases) {
  if (plan.reference == ReferenceKind::own) return;
  if (plan.reference == ReferenceKind::none) {
    for (Comparison& each : cases) each.current.timed.erase("reference_step_ns");
    return;
  }
  pool_references(cases, [](Comparison& each) -> TimedMap& { return each.current.timed; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(plan.sessions); ++i)
    pool_references(cases, [i](Comparison& each) -> TimedMap& { return each.runner->sessions[i].timed; });
}

SuiteOutcome one_suite(const StoredSuites& plan, std::uint64_t seed) {
  SessionValues values(plan, seed);
  std::vector<Comparison> cases;
  for (std::int64_t i = 0; i < plan.cases; ++i) cases.push_back(one_case(plan, values));
  take_references(plan, cases);
  SuiteOutcome outcome;
  for (const Comparison& each : cases) outcome.add(judge_case(each).status);
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
  outcome.open_suites = outcome.inconclusive > 0;
  return outcome;
}

}  // namespace

std::string_view name_of(SessionNoise noise) {
  constexpr std::array<std::string_view, 4> names = {"exchangeable", "t3", "random-walk", "back-to-back"};
  return names[static_cast<std::size_t>(noise)];
}

SuiteOutcome simulate(const StoredSuites& plan) {
  return on_threads(plan.suites, plan.seed, [&](std::uint64_t seed) { return one_suite(plan, seed); });
}

double simulated_detectable_change(StoredSuites plan) {
  const auto outcome_at = [&plan](double change) {
    plan.change = change;
    return simulate(plan);
  };
  return smallest_detected_change(outcome_at, 1e-3);
}

}  // namespace stepgate::lab
