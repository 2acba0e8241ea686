// Files of results that other tools wrote, for a history.
#pragma once

#include <string>
#include <string_view>

#include "core/record/benchmark_output.h"

namespace stepgate {

/// Reads JSON of Google Benchmark, nvbench and pyperf; which of them it is, the file says. Throws Error naming `source`
/// (a file name): for a file of another tool of the field what it is and what can be done, else line or key.
BenchmarkFile benchmark_file_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
