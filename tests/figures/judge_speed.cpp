// Measures the time of judging 1 000 cases x 50 metrics, compared with the median of as many values in the same run.
// Prints figures and asserts nothing, because machines differ.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "judge/verdict/judge_case.h"

namespace {

using stepgate::Baseline;
using stepgate::CaseValues;

constexpr int cases = 1000;
constexpr int exact_metrics = 20;
constexpr int timed_metrics = 30;
constexpr int replicates = 5;
constexpr int sessions = 8;

double jitter(int seed) { return 1 + 0.001 * ((seed * 2654435761U) % 17); }

/// Names of the catalogue first, to include gating metrics; then invented names up to 50.
std::vector<std::string> names_of(stepgate::Tier tier, int count) {
  std::vector<std::string> names;
  for (const auto& metric : stepgate::metric_catalogue())
    if (metric.tier == tier && static_cast<int>(names.size()) < count) names.emplace_back(metric.name);
  return names;
}

CaseValues values_of_case() {
  CaseValues values;
  values.case_name = "bench/judge/speed";
  values.clean_exact = 2;
  values.clean_timed = replicates;
  for (const std::string& name : names_of(stepgate::Tier::exact, exact_metrics))
    values.exact[name] = {{100, 100, 100, 100, 100, 100, 100, 100}, {100, 100, 100, 100, 100, 100, 100, 100}};
  for (const std::string& name : names_of(stepgate::Tier::timed, timed_metrics))
    for (int i = 0; i < replicates; ++i) values.timed[name].push_back(1e7 * jitter(i + 3));
  return values;
}

Baseline portable_of(const CaseValues& values) {
  Baseline baseline;
  baseline.case_name = values.case_name;
  baseline.runner_class = "portable";
  for (const auto& [name, rows] : values.exact) baseline.exact[name] = rows.front();
  return baseline;
}

Baseline runner_of(const CaseValues& values) {
  Baseline baseline;
  baseline.case_name = values.case_name;
  baseline.scope = stepgate::Scope::runner;
  baseline.runner_class = "bench";
  for (int s = 0; s < sessions; ++s) {
    stepgate::Session session;
    session.unix_s = 100000L * (s + 1);
    for (const auto& [name, times] : values.timed)
      for (int i = 0; i < replicates; ++i) session.timed[name].push_back(1e7 * jitter(7 * s + i));
    baseline.sessions.push_back(session);
  }
  return baseline;
}

/// Sixteen pairs per metric, with an unchanged head.
stepgate::PairedValues pairs_of(const CaseValues& values) {
  stepgate::PairedValues paired;
  paired.finished = true;
  for (const auto& [name, times] : values.timed)
    for (int i = 0; i < 16; ++i)
      paired.timed[name].push_back({1e7 * jitter(3 * i), 1e7 * jitter(5 * i + 1), i % 2 == 0});
  return paired;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  const CaseValues values = values_of_case();
  const Baseline portable = portable_of(values);
  const Baseline runner = runner_of(values);
  const stepgate::Policy policy;
  const stepgate::Comparison input{.current = values,
                                   .exact = portable,
                                   .runner = runner,
                                   .exact_mismatches = {},
                                   .runner_mismatches = {},
                                   .policy = policy,
                                   .hypotheses = 3 * cases,
                                   .judge_exact = true,
                                   .judge_timed = true,
                                   .device = stepgate::Device::cpu,
                                   .today = "2026-01-01"};
  std::size_t verdicts = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < cases; ++i) verdicts += stepgate::judge_case(input).metrics.size();
  const double judging = seconds_since(start);

  const stepgate::PairedValues pairs = pairs_of(values);
  stepgate::Comparison interleaved = input;
  interleaved.reference = stepgate::PairedReference{.pairs = pairs};
  std::size_t paired_verdicts = 0;
  const auto paired_start = std::chrono::steady_clock::now();
  for (int i = 0; i < cases; ++i) paired_verdicts += stepgate::judge_case(interleaved).metrics.size();
  const double by_pairs = seconds_since(paired_start) * cases * 50 / static_cast<double>(paired_verdicts);

  double sink = 0;
  const auto peer_start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < verdicts; ++i) {
    std::vector<double> sample(replicates * sessions);
    for (std::size_t k = 0; k < sample.size(); ++k) sample[k] = 1e7 * jitter(static_cast<int>(i + k));
    std::nth_element(sample.begin(), sample.begin() + static_cast<long>(sample.size() / 2), sample.end());
    sink += sample[sample.size() / 2];
  }
  const double peer = seconds_since(peer_start);
  const double scale = static_cast<double>(cases) * 50 / static_cast<double>(verdicts);
  fmt::print("judged {} metrics of {} cases in {:.3f} s; scaled to 1000 cases x 50 metrics: {:.3f} s (target 1 s)\n",
             verdicts, cases, judging, judging * scale);
  fmt::print("the same by 16 interleaved pairs a metric: {:.3f} s\n", by_pairs);
  fmt::print("peer: one median of {} values per metric: {:.3f} s; judging costs {:.1f} x that (checksum {:.3g})\n",
             replicates * sessions, peer, judging / peer, sink);
  return 0;
}
