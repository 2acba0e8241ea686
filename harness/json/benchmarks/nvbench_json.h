// The JSON that a program of NVIDIA's nvbench writes with --json. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/benchmark_output.h"
#include "json/text/reader.h"

namespace stepgate {

/// One process. A benchmark is BENCHMARK/STATE, its time the mean GPU time of the cold runs; nvbench writes seconds.
/// What has no such time is left out with its reason. Throws the reader's Error where a key is missing or of another
/// type.
BenchmarkOutput nvbench_output(Reader document);

}  // namespace stepgate
