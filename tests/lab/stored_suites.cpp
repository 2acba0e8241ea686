#include "lab/stored_suites.h"

#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "judge/verdict/judge_case.h"
#include "lab/on_threads.h"

namespace stepgate::lab {
namespace {

constexpr double step_ns = 20e6;
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

  std::vector<double> processes_at(double level) {
    std::vector<double> values;
    for (std::size_t i = 0; i < processes; ++i) {
      values.push_back(step_ns * std::exp(level + process_sd * normal_(generator_)));
    }
    return values;
  }

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

/// The verdict on one case with a single gating timed metric.
Status judge_one(const StoredSuites& plan, SessionValues& values) {
  const std::vector<double> levels = values.levels();
  const std::vector<double> still(processes, 5e6);
  CaseValues current;
  current.case_name = "lab/stored/case";
  current.clean_timed = processes;
  current.timed = {{"reference_step_ns", still},
                   {"step_time_ns", values.processes_at(levels.back() + std::log1p(plan.change))}};
  Baseline runner;
  runner.scope = Scope::runner;
  const std::int64_t gap_s = plan.noise == SessionNoise::back_to_back ? 5 * minute_s : day_s;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    Session session;
    session.unix_s = 1'700'000'000 + static_cast<std::int64_t>(i) * gap_s;
    session.timed = {{"reference_step_ns", still}, {"step_time_ns", values.processes_at(levels[i])}};
    runner.sessions.push_back(std::move(session));
  }
  const Comparison input{.current = current,
                         .runner = std::move(runner),
                         .policy = plan.policy,
                         .hypotheses = plan.cases,
                         .judge_exact = false,
                         .today = "2026-11-21"};
  return judge_case(input).status;
}

SuiteOutcome one_suite(const StoredSuites& plan, std::uint64_t seed) {
  SessionValues values(plan, seed);
  SuiteOutcome outcome;
  for (std::int64_t i = 0; i < plan.cases; ++i) {
    outcome.add(judge_one(plan, values));
  }
  outcome.suites = 1;
  outcome.red_suites = outcome.regressed > 0;
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
