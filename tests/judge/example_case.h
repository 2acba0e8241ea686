// A case that passes in every tier. Each test changes it in one respect.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "judge/verdict/judge_case.h"

namespace stepgate {

inline constexpr std::int64_t day_s = 86400;

struct ExampleCase {
  CaseValues values;
  Baseline portable;
  Baseline runner;
  Policy policy;
  std::vector<FingerprintMismatch> portable_mismatches = {};
  std::vector<FingerprintMismatch> runner_mismatches = {};
  std::optional<Baseline> device_exact = {};
  std::vector<FingerprintMismatch> device_exact_mismatches = {};
  bool has_portable = true;
  bool has_runner = true;
  std::int64_t hypotheses = 3;
  bool judge_exact = true;
  bool judge_timed = true;
  Device device = Device::cpu;
  std::string today = "2026-11-21";
  bool base_ran = false;
  const CaseValues* base_group = nullptr;
  const LossTrajectories* trajectories = nullptr;

  std::variant<StoredReference, PairedReference, EarlierMeasurement> reference() const {
    if (base_group != nullptr) return EarlierMeasurement{.values = *base_group, .ran = base_ran};
    if (trajectories == nullptr && !base_ran) return StoredReference{};
    return PairedReference{.ran = base_ran, .trajectories = trajectories ? std::optional(*trajectories) : std::nullopt};
  }
  CaseVerdict judge() const {
    const bool on_cpu = device == Device::cpu;
    const std::optional<Baseline> held = has_portable ? std::optional(portable) : std::nullopt;
    return judge_case({.current = values,
                       .exact = on_cpu ? held : device_exact,
                       .runner = has_runner ? std::optional(runner) : std::nullopt,
                       .exact_mismatches = on_cpu ? portable_mismatches : device_exact_mismatches,
                       .runner_mismatches = runner_mismatches,
                       .policy = policy,
                       .hypotheses = hypotheses,
                       .judge_exact = judge_exact,
                       .judge_timed = judge_timed,
                       .device = device,
                       .today = today,
                       .reference = reference()});
  }
};

/// Session `index`, one day after the previous one, with every timed value multiplied by `factor`.
inline Session session(std::int64_t index, double factor) {
  Session result;
  result.unix_s = 1'700'000'000 + index * day_s;
  const auto three = [](double value) { return std::vector<double>{value, value, value}; };
  result.timed = {{"step_time_ns", three(20e6 * factor)},   {"step_time_mean_ns", three(21e6 * factor)},
                  {"first_step_ns", three(400e6 * factor)}, {"forward_ns", three(6e6 * factor)},
                  {"backward_ns", three(9e6 * factor)},     {"optimizer_ns", three(3e6 * factor)},
                  {"samples_per_s", three(1600 / factor)},  {"stall_ratio", {0.1, 0.1, 0.1}},
                  {"reference_step_ns", {5e6, 5e6, 5e6}}};
  return result;
}

/// Exact half: bit-equal to its baseline. Timed half: equal to the mean of `sessions` sessions that differ by about
/// 0.1 %, with an unchanged reference case.
inline ExampleCase example_case(std::int64_t sessions = 5) {
  ExampleCase example;
  example.values.case_name = "example/mlp/tiny";
  const std::vector<std::int64_t> operators(8, 2155);
  example.values.exact = {{"operators_per_step", {operators, operators}}};
  example.values.bytes = {{"peak_allocated_bytes", {4096, 4096}}, {"leak_bytes_per_step", {0, 0}}};
  const NumericTrace trace{.loss = std::vector<double>(21, 2.5),
                           .grad_norm = std::vector<double>(21, 1.5),
                           .loss_digest = "",
                           .parameter_digest = ""};
  example.values.numerics = {trace, trace};
  example.values.exact_fingerprint = {{"isa", "avx2"}};
  example.values.clean_exact = 2;
  example.portable.exact = {{"operators_per_step", operators}};
  example.portable.bytes = {{"peak_allocated_bytes", {4096}}, {"leak_bytes_per_step", {0}}};
  example.portable.numerics = trace;
  example.values.timed = session(0, 1).timed;
  example.values.clean_timed = 3;
  example.runner.scope = Scope::runner;
  for (std::int64_t i = 0; i < sessions; ++i) {
    example.runner.sessions.push_back(session(i, 1 + 0.001 * static_cast<double>(i % 3 - 1)));
  }
  return example;
}

/// Multiplies a current timed metric.
inline void scale(ExampleCase& example, const std::string& metric, double factor) {
  for (double& value : example.values.timed.at(metric)) value *= factor;
}

/// Multiplies all gating step times.
inline void slow_down(ExampleCase& example, double factor) {
  for (const char* metric : {"step_time_ns", "step_time_mean_ns", "first_step_ns"}) scale(example, metric, factor);
}

/// The verdict on one metric; an empty one if there is none.
inline MetricVerdict verdict_on(const CaseVerdict& verdict, const std::string& metric) {
  for (const MetricVerdict& each : verdict.metrics) {
    if (each.metric == metric) return each;
  }
  MetricVerdict none;
  none.reason = VerdictReason::named("no verdict");
  return none;
}

/// Two operators more in each of 8 steps.
inline ExampleCase with_more_operators() {
  const std::vector<std::int64_t> more_operators(8, 2157);
  ExampleCase example = example_case();
  example.values.exact["operators_per_step"] = {more_operators, more_operators};
  return example;
}

}  // namespace stepgate
