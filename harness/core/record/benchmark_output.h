// What stepgate reads of the JSON that a plain Google Benchmark program writes, and of files of other tools like it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// One measured run of one benchmark. Aggregates (mean, median, complexity) are dropped: they are not observations.
struct BenchmarkEntry {
  std::string name;             ///< as --benchmark_list_tests prints it, suffixes like "/real_time" included
  std::int64_t repetition = 0;  ///< its number among the runs with this name
  std::int64_t threads = 1;
  std::int64_t iterations = 0;
  std::optional<double> real_time_ns = std::nullopt;  ///< per iteration; manual time where the benchmark sets its own
  std::optional<double> cpu_time_ns = std::nullopt;   ///< per iteration
  std::optional<double> items_per_s = std::nullopt;   ///< per CPU time, or per real time if the name says so
  std::optional<std::string> error = std::nullopt;    ///< the message given to SkipWithError
  std::optional<std::string> skipped = std::nullopt;  ///< the message given to SkipWithMessage (1.8 and later)
  /// User counters and rates under their names, items_per_second too; absent where the value was not finite.
  std::map<std::string, std::optional<double>> counters = {};
};

struct BenchmarkOutput {
  std::string executable;
  std::string library_version;     ///< "" before 1.8
  std::string library_build_type;  ///< "release" or "debug": the benchmark library's, not the program's
  std::optional<bool> cpu_scaling = std::nullopt;
  std::vector<BenchmarkEntry> entries;
  std::string date = {};                     ///< "2026-11-23T07:57:14+00:00", as the file has it
  std::string commit = {};                   ///< given with --benchmark_context=commit=ID, "" where it was not
  Fingerprint machine = {};                  ///< host_name, num_cpus, mhz_per_cpu, caches: those that the file has
  std::vector<std::string> aggregated = {};  ///< benchmarks with aggregates, in the file's order, each once
  bool run_types = true;                     ///< each row says whether it is an aggregate; 1.5 and later do
  /// Names of benchmarks that the reader left out, by reason. A reason completes "left out, because ...".
  std::map<std::string, std::set<std::string>> left_out = {};
};

/// A file of results: one process of Google Benchmark or nvbench, the many processes of pyperf.
struct BenchmarkFile {
  std::string tool;  ///< "google-benchmark", "nvbench", "pyperf"
  std::vector<BenchmarkOutput> processes;
};

}  // namespace stepgate
