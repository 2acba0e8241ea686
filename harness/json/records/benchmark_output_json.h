// The JSON that a Google Benchmark program writes with --benchmark_out_format=json.
#pragma once

#include <string>
#include <string_view>

#include "core/record/benchmark_output.h"

namespace stepgate {

/// Reads 1.5 and later (checked against 1.7.1) and ignores unknown keys. Google Benchmark writes a counter that is not
/// finite as NaN or Infinity, which is not JSON; such a counter counts as missing. Throws Error(measure) naming
/// `source` (a file name), line or key.
BenchmarkOutput benchmark_output_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
