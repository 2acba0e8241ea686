// The JSON that a Google Benchmark program writes with --benchmark_out_format=json.
#pragma once

#include <string>
#include <string_view>

#include "core/record/benchmark_output.h"

namespace stepgate {

/// Reads 1.5 and later (checked against 1.7.1); keys that it does not know are passed over. Counters that are not
/// finite, which Google Benchmark writes bare and JSON does not know, are treated as missing. Throws Error(measure)
/// naming `source` (a file name), line or key.
BenchmarkOutput benchmark_output_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
