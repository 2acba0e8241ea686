// Evidence behind the sample reports: pairs, margins and memory of both sides, for the tests of the report page.
#pragma once

#include <cstdint>
#include <string>

#include "core/verdict/case_evidence.h"
#include "core/verdict/metric_history.h"
#include "support/sample_reports.h"

namespace stepgate {

inline MemoryLedger sample_page_ledger(std::int64_t activations) {
  MemoryLedger ledger;
  ledger.peak_bytes = 1'600'000'000 + activations;
  ledger.step = 4;
  ledger.boundary = "backward";
  ledger.bytes = {{"parameters", 400'000'000},
                  {"gradients", 400'000'000},
                  {"optimizer_state", 790'000'000},
                  {"activations", activations},
                  {"other", 10'000'000}};
  return ledger;
}

inline CaseEvidence sample_evidence(const std::string& case_name, const ResultKind& kind) {
  CaseEvidence evidence;
  evidence.case_name = case_name;
  evidence.kind = kind;
  evidence.margins["step_time_ns"] = {.ignore = 0.01, .matter = 0.05};
  evidence.base_memory = sample_page_ledger(1'000'000'000);
  evidence.memory = sample_page_ledger(1'080'000'000);
  return evidence;
}

/// Twelve pairs of a case that takes 4.2 % longer, as an A/B run judges it.
inline Outcome red_by_pairs() {
  Outcome outcome = regressed_timed();
  outcome.kind = result_of_pairs;
  outcome.verdict.case_name = "language/char_lm/full";
  MetricVerdict step = metric_verdict("step_time_ns", Status::regressed, 9.16e6, 9.545e6);
  step.interval = Interval{0.036, 0.048};
  step.limit = "+1.0 %";
  step.detectable_change = 0.021;
  outcome.verdict.metrics.front() = step;
  outcome.verdict.detail = "the whole interval is above +1.0 %";
  outcome.findings = {{AnyFindingCode::named("host-sync"), Severity::cause,
                       "A host sync was added in forward: +1 aten::_local_scalar_dense per step",
                       "keep the value on the device: .item() waits for it.", "step_time_ns"}};
  outcome.findings.front().sources = {{"CharLm::forward", "src/model.cpp", 118}};
  outcome.backgrounds.clear();
  outcome.baseline_summary = "base build 9f2c1ab";
  outcome.reproduce_command = "stepgate ab --base-build build/base --build build/head language/char_lm/full";
  outcome.fingerprint = {{"gpu", "NVIDIA H200"}, {"torch", "2.11.0"}, {"threads", "8"}};
  outcome.distributions = {{.what = "step",
                            .unit = DistributionUnit::step,
                            .n = 720,
                            .processes = 12,
                            .mean_ns = 9.6e6,
                            .median_ns = 9.545e6,
                            .sd_ns = 2e5,
                            .p95_ns = 9.9e6,
                            .p99_ns = 1.02e7,
                            .min_ns = 9.4e6,
                            .max_ns = 1.2e7}};
  return outcome;
}

inline CaseEvidence evidence_of_pairs() {
  CaseEvidence evidence = sample_evidence("language/char_lm/full", result_of_pairs);
  for (double change : {0.045, 0.038, 0.051, 0.033, 0.042, 0.047, 0.036, 0.044, 0.040, 0.039, 0.048, 0.041}) {
    evidence.pairs["step_time_ns"].push_back({9.16e6, 9.16e6 * (1 + change), false});
  }
  evidence.tainted_pairs = 1;
  return evidence;
}

/// The same pairs, measured on three nodes in turn; one of them had to discard a pair.
inline CaseEvidence evidence_of_nodes() {
  CaseEvidence evidence = evidence_of_pairs();
  const auto& pairs = evidence.pairs["step_time_ns"];
  for (std::size_t node = 0; node < 3; ++node) {
    NodePairs one{.place = "trainer" + std::to_string(node + 1) + " CPU 0-15"};
    for (std::size_t i = node; i < pairs.size(); i += 3) one.pairs["step_time_ns"].push_back(pairs[i]);
    evidence.nodes.push_back(one);
  }
  evidence.nodes.back().tainted_pairs = 1;
  return evidence;
}

/// The step time of red_by_pairs() on main: forty points, a spike, and 2.2 % more from point 25 on.
inline CaseHistories sample_histories() {
  MetricHistory step{.unit = MetricUnit::ns};
  for (int i = 0; i < 40; ++i) {
    const double level = i < 25 ? 8.96e6 : 9.16e6;
    const double noise = (i * 7 % 5 - 2) * 1e4;
    step.points.push_back({.value = i == 12 ? 1.2e7 : level + noise,
                           .level = level,
                           .spike = i == 12,
                           .begins_level = i == 25,
                           .commit = "a1b2c" + std::to_string(10 + i),
                           .day = "2026-10-" + std::to_string(10 + i / 2)});
  }
  return {{"language/char_lm/full", {{"step_time_ns", step}}}};
}

}  // namespace stepgate
