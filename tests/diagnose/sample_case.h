// A small training case, equal on both sides until a test changes one thing.
#pragma once

#include "core/stored/baseline.h"
#include "core/verdict/case_values.h"
#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

struct SampleCase {
  CaseValues current;
  Baseline portable;
  Baseline runner;
  CaseVerdict verdict;

  SampleCase() {
    current.case_name = portable.case_name = runner.case_name = verdict.case_name = "suite/case";
    verdict.status = Status::pass;
    portable.exact = {{"operators_per_step", {20, 20, 20, 20}}, {"allocations_per_step", {6, 6, 6, 6}}};
    portable.bytes = {{"peak_allocated_bytes", {4096}}, {"resident_bytes", {1024}}, {"leak_bytes_per_step", {0}}};
    portable.operators = {{"forward", {{"aten::mm", 8}, {"aten::view", 4}}}, {"optimizer", {{"aten::add_", 8}}}};
    portable.counts_by_boundary = {{"allocations_per_step", {{"forward", 16}, {"backward", 8}}}};
    portable.peak_by_boundary = {{"forward", 4096}, {"backward", 4000}, {"optimizer", 2000}};
    portable.numerics = NumericTrace{{4.0, 3.5, 3.1, 2.8}, {1.0, 0.9, 0.8, 0.7}, "", ""};
    portable.key = {{"isa", "AVX2"}, {"torch", "2.11.0"}};
    runner.scope = Scope::runner;
    runner.key = {{"gpu", "H200"}};
    current.counts.per_step = portable.exact;
    current.counts.operators = portable.operators;
    current.counts.by_boundary = portable.counts_by_boundary;
    current.bytes = portable.bytes;
    current.timed = {{"reference_step_ns", {1e6}}};
    current.peak_by_boundary = portable.peak_by_boundary;
    current.numerics = {*portable.numerics, *portable.numerics};
    current.exact_fingerprint = portable.key;
    current.timed_fingerprint = runner.key;
  }

  /// Marks a metric regressed, and with it the case.
  MetricVerdict& red(const std::string& metric) { return judged(metric, Status::regressed); }

  MetricVerdict& judged(const std::string& metric, Status status) {
    verdict.status = status;
    MetricVerdict& made = verdict.metrics.emplace_back();
    made.metric = metric;
    made.status = status;
    return made;
  }

  void timed(const std::string& metric, Status status, double before, double now) {
    MetricVerdict& made = verdict.metrics.emplace_back();
    made.metric = metric;
    made.status = status;
    made.baseline = before;
    made.current = now;
    if (status == Status::regressed) verdict.status = status;
  }

  JudgedComparison input() const { return {{.current = current, .exact = portable, .runner = runner}, verdict}; }
};

}  // namespace stepgate
