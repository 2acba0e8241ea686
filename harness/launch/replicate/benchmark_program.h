// Runs a plain Google Benchmark program instead of a perftest and turns its output into a run record.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/benchmark_output.h"
#include "core/record/measurement.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// True where this process is to run LaunchRequest::benchmark; group reference always runs a perftest program.
bool runs_plain_benchmark(const ReplicateRequest& request);

/// "<out_dir>/timed-03-0.benchmark.json": what the program is told to write.
std::filesystem::path benchmark_path(const ReplicateRequest& request);

/// The argv that makes the unmodified program run this one benchmark once and write benchmark_path().
std::vector<std::string> benchmark_command(const ReplicateRequest& request);

/// A regular expression, POSIX extended or ECMAScript alike, that matches `name` and nothing else.
std::string exact_filter(std::string_view name);

/// Either a record of group timed, or why there is none.
struct BenchmarkReading {
  std::optional<RunRecord> record;
  std::optional<ReplicateFailure> failure;
};

/// One window per run of the benchmark: wall time = real time per iteration x iterations, steps = iterations. Refuses a
/// run that ended with an error, a time that is not above zero, two benchmarks of one name, and more threads than the
/// plan gives CPUs. Pure. The output has at least one entry of that name (see names_no_such).
BenchmarkReading read_benchmark(const BenchmarkOutput& output, const ReplicateRequest& request);

/// Says that the program wrote aggregates of this benchmark and no run, which are no observations.
ReplicateFailure reports_aggregates_only(const std::string& benchmark);

/// Says that no benchmark of that name ran, and names the nearest one in `listed`, the output of
/// --benchmark_list_tests.
ReplicateFailure names_no_such(const std::string& benchmark, const std::string& listed);

}  // namespace stepgate
