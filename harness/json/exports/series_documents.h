// A run as JSON in the formats of other benchmark tools. One process is one repetition: iterations within a process are
// not independent, so no document holds them. Each function throws Error(measure) naming the key of a number that is
// not finite.
#pragma once

#include <string>

#include "core/verdict/exported_series.h"

namespace stepgate {

/// Times only, in nanoseconds. The format requires a CPU time; it repeats the wall time, because none was measured.
std::string google_benchmark_text(const ExportedRun& run);
/// Times only, in seconds: one benchmark a metric, one run a process. Throws Error(measure) without any time.
std::string pyperf_text(const ExportedRun& run);
/// PyTorch's benchmark results, version 3. Its database keeps 32-bit floats, so bytes are given in MiB.
std::string pytorch_text(const ExportedRun& run);
/// Bencher Metric Format.
std::string bencher_text(const ExportedRun& run);
/// The custom format of github-action-benchmark, which fixes a direction per file: the metrics of that direction.
std::string github_action_text(const ExportedRun& run, Direction direction);

}  // namespace stepgate
