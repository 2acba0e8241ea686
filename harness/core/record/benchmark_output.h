// What a plain Google Benchmark program reports in its JSON: the part of it that a run record can be made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// One measured run of one benchmark. Aggregates (mean, median, complexity) are not kept: they are no observations.
struct BenchmarkEntry {
  std::string name;             ///< as --benchmark_list_tests prints it, suffixes like "/real_time" included
  std::int64_t repetition = 0;  ///< its number among the runs of this name
  std::int64_t threads = 1;
  std::int64_t iterations = 0;
  std::optional<double> real_time_ns = std::nullopt;  ///< per iteration; manual time where the benchmark sets its own
  std::optional<double> cpu_time_ns = std::nullopt;   ///< per iteration
  std::optional<double> items_per_s = std::nullopt;   ///< over CPU time, or real time where the name says so
  std::optional<std::string> error = std::nullopt;    ///< what SkipWithError was given
  std::optional<std::string> skipped = std::nullopt;  ///< what SkipWithMessage was given (1.8 and later)
};

struct BenchmarkOutput {
  std::string executable;
  std::string library_version;     ///< "" before 1.8
  std::string library_build_type;  ///< "release" or "debug": of the benchmark library, not of the program
  std::optional<bool> cpu_scaling = std::nullopt;
  std::vector<BenchmarkEntry> entries;
};

}  // namespace stepgate
