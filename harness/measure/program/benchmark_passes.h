// Passes as Google Benchmark benchmarks, for a perftest that a person runs by hand. Each body runs its pass once over
// all its fixed steps and then reports the recorded time of each step, so that the library neither chooses how much
// work is done nor takes any time itself.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace stepgate {

/// What one pass shows in Google Benchmark's table.
struct PassReport {
  std::vector<std::int64_t> step_ns;       ///< time of each step; empty for exact passes, which have no times
  std::map<std::string, double> counters;  ///< by metric name
  std::string label;
  std::int64_t samples = 0;  ///< processed in all steps
};

struct BenchmarkPass {
  std::string name;        ///< "<case>/<pass>"
  std::int64_t steps = 0;  ///< the benchmark's iterations
  std::function<PassReport()> run;
};

/// The first thing that a body threw: Google Benchmark knows error texts only.
struct FirstFailure {
  std::exception_ptr thrown;
};

/// Registers the pass with manual time, exactly `steps` iterations and one repetition. A second call of its body fails:
/// it would run the pass again on a workload that has moved on. If a body throws, Google Benchmark marks the
/// benchmark as failed, `failure`, which must outlive the run, keeps the first exception, and later bodies do not run.
void register_pass(const BenchmarkPass& pass, FirstFailure& failure);

/// What `pass` left in `found`, one of the passes that ran.
PassReport report_of(const RunRecord& found, Pass pass);

}  // namespace stepgate
