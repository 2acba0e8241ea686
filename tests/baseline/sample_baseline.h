// A small baseline of each scope, as make_baseline returns them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/error.h"
#include "core/stored/baseline.h"

namespace stepgate {

inline Baseline portable_sample() {
  Baseline baseline;
  baseline.case_name = "suite/case_one/tiny";
  baseline.runner_class = "portable";
  baseline.key = {{"isa", "AVX2"}, {"torch", "2.11.0"}};
  baseline.exact = {{"operators_per_step", {412, 412}}};
  baseline.bytes = {{"peak_allocated_bytes", {1310720}}};
  baseline.numerics = NumericTrace{{4.0, 3.5}, {1.0, 0.9}, "aa", "bb"};
  baseline.counts_by_boundary = {{"operators_per_step", {{"forward", 824}}}};
  baseline.operators = {{"forward", {{"aten::mm", 824}}}};
  baseline.peak_by_boundary = {{"forward", 1310720}};
  baseline.provenance.commit = "1111111";
  baseline.provenance.utc = "2026-11-01T00:00:00Z";
  baseline.provenance.stepgate_version = "0.1.0";
  baseline.provenance.replicates = 2;
  return baseline;
}

inline Session session_at(std::int64_t unix_s, double step_ns) {
  return {"2026-11-02T00:00:00Z", unix_s, "2222222", {{"step_time_ns", {step_ns, step_ns, step_ns}}}};
}

inline Baseline runner_sample(std::int64_t unix_s = 1000, double step_ns = 1e7) {
  Baseline baseline;
  baseline.case_name = "suite/case_one/tiny";
  baseline.scope = Scope::runner;
  baseline.runner_class = "h200-16c";
  baseline.key = {{"gpu", "H200"}};
  baseline.sessions = {session_at(unix_s, step_ns)};
  baseline.provenance.commit = "2222222";
  baseline.provenance.sessions = 1;
  baseline.provenance.replicates = 3;
  return baseline;
}

/// The exact half of a case on a GPU.
inline Baseline device_sample() {
  Baseline baseline = portable_sample();
  baseline.scope = Scope::device;
  baseline.runner_class = "h200-16c";
  baseline.key = {{"gpu", "H200"}, {"gpu_driver_major", "580"}};
  baseline.exact["kernels_per_step"] = {26, 26};
  return baseline;
}

/// The error of `call`, as "<kind> message | remedy"; fails the test if it throws nothing.
inline std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const char* kinds[] = {"usage", "measure", "baseline"};
    return std::string(kinds[static_cast<int>(error.kind())]) + " " + error.what() + " | " + error.remedy();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace stepgate
