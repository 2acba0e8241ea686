// The JSON of Python's pyperf. Internal to json/ (mentions nlohmann).
#pragma once

#include <vector>

#include "core/record/benchmark_output.h"
#include "json/text/reader.h"

namespace stepgate {

/// Each run of pyperf is a process of its own: the first output has the first process of each benchmark that measured
/// something, and so on. Values are seconds; a benchmark of another unit is left out of the first output with its unit.
/// Throws the reader's Error where a key is missing or of another type.
std::vector<BenchmarkOutput> pyperf_outputs(Reader document);

}  // namespace stepgate
