// The values of one process of Google Benchmark or a tool like it, by series of a history.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/record/benchmark_output.h"

namespace stepgate {

/// What one process measured.
struct BenchmarkValues {
  /// Case -> metric -> one value a repetition, natural units. The wall time is step_time_ns, a counter has its own
  /// name.
  std::map<std::string, std::map<std::string, std::vector<double>>> cases;
  /// Names that are left out, by reason. A reason completes "left out, because ...".
  std::map<std::string, std::set<std::string>> left_out;
};

/// A case is PROGRAM/BENCHMARK, since benchmarks of two programs may have one name; BENCHMARK where no program is
/// known. In a file that stepgate exported it is what it was before. Throws Error(usage), naming `source`, for a time
/// that is missing or not finite.
BenchmarkValues benchmark_values(const BenchmarkOutput& output, const std::string& source);

}  // namespace stepgate
