#include "launch/replicate/benchmark_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "core/text/number_format.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

/// How many names of a long list a message shows.
constexpr std::size_t names_shown = 5;

constexpr const char* not_in_plain = "a plain Google Benchmark program has none";

/// What a perftest measures besides the step time.
constexpr std::array plain_lacks = {"first_step_ns",
                                    "data_wait_ns",
                                    "h2d_ns",
                                    "forward_ns",
                                    "backward_ns",
                                    "optimizer_ns",
                                    "logging_ns",
                                    "stall_ratio",
                                    "sync_tax_ratio",
                                    "synthetic_step_ns",
                                    "loader_samples_per_s",
                                    "padded_tokens_per_s",
                                    "effective_tokens_per_s",
                                    "padding_ratio",
                                    "operators_per_step",
                                    "allocations_per_step",
                                    "peak_allocated_bytes",
                                    "loss"};

BenchmarkReading refused(FailureKind kind, std::string message) {
  return {std::nullopt, ReplicateFailure{kind, std::move(message), ""}};
}

std::vector<BenchmarkEntry> entries_named(const BenchmarkOutput& output, const std::string& name) {
  std::vector<BenchmarkEntry> result;
  std::copy_if(output.entries.begin(), output.entries.end(), std::back_inserter(result),
               [&](const BenchmarkEntry& entry) { return entry.name == name; });
  return result;
}

std::optional<ReplicateFailure> entry_problem(const BenchmarkEntry& entry, const Plan& plan) {
  const auto bad = [](std::string message) {
    return ReplicateFailure{FailureKind::bad_record, std::move(message), ""};
  };
  if (entry.error) return bad(fmt::format("the benchmark {} ended with an error: {}", entry.name, *entry.error));
  if (entry.skipped) {
    return ReplicateFailure{FailureKind::unavailable,
                            fmt::format("the benchmark {} skipped itself: {}", entry.name, *entry.skipped), ""};
  }
  if (!entry.real_time_ns || !(*entry.real_time_ns > 0) || entry.iterations < 1) {
    return bad(fmt::format("the benchmark {} reports {} iterations of {} ns: nothing was timed", entry.name,
                           entry.iterations, entry.real_time_ns ? fmt::format("{:g}", *entry.real_time_ns) : "nan"));
  }
  const std::int64_t cpus = std::max(plan.threads, plan.cpus);
  if (entry.threads > cpus) {
    return bad(fmt::format("the benchmark {} runs {} and was given {}: say CPUS {} where the case is added", entry.name,
                           counted(entry.threads, "thread"), counted(cpus, "CPU"), entry.threads));
  }
  return std::nullopt;
}

/// Google Benchmark divides items by CPU time unless the benchmark's name asks for another clock.
std::optional<std::int64_t> samples_of(const BenchmarkEntry& entry) {
  const bool by_real_time =
      entry.name.find("/real_time") != std::string::npos || entry.name.find("/manual_time") != std::string::npos;
  const auto& base_ns = by_real_time ? entry.real_time_ns : entry.cpu_time_ns;
  if (!entry.items_per_s || !base_ns) return std::nullopt;
  constexpr double ns_per_s = 1e9;
  return std::llround(*entry.items_per_s * *base_ns / ns_per_s * static_cast<double>(entry.iterations));
}

TimedPass pass_of(const std::vector<BenchmarkEntry>& entries) {
  TimedPass pass;
  pass.clock = "google_benchmark";
  std::int64_t first_step = 0;
  for (const BenchmarkEntry& entry : entries) {
    pass.windows.push_back({.wall_ns = std::llround(*entry.real_time_ns * static_cast<double>(entry.iterations)),
                            .first_step = first_step,
                            .steps = entry.iterations,
                            .cold_shape = false,
                            .samples = samples_of(entry)});
    first_step += entry.iterations;
  }
  return pass;
}

Fingerprint facts_of(const BenchmarkOutput& output, const BenchmarkEntry& entry, const LaunchRequest& launch) {
  Fingerprint facts = {{"device", std::string(name_of(launch.plan.device))},
                       {"threads", std::to_string(entry.threads)},
                       {"malloc", launch.plan.malloc_policy},
                       {"case_params", "benchmark=" + entry.name},
                       {"executable", output.executable}};
  if (!output.library_version.empty()) facts["benchmark_version"] = output.library_version;
  if (!output.library_build_type.empty()) facts["benchmark_build_type"] = output.library_build_type;
  if (output.cpu_scaling) facts["benchmark_cpu_scaling"] = *output.cpu_scaling ? "on" : "off";
  return facts;
}

RunRecord record_of(const std::vector<BenchmarkEntry>& entries, const BenchmarkOutput& output,
                    const ReplicateRequest& request) {
  RunRecord record;
  record.case_name = request.launch.case_name;
  record.params = {{"benchmark", request.launch.benchmark}};
  record.group = request.group;
  record.seed = request.launch.plan.seed;
  record.replicate = request.index;
  record.fingerprint = facts_of(output, entries.front(), request.launch);
  record.timed["e2e"] = pass_of(entries);
  for (const char* metric : plain_lacks) record.absent[metric] = not_in_plain;
  return record;
}

}  // namespace

bool runs_plain_benchmark(const ReplicateRequest& request) {
  return !request.launch.benchmark.empty() && request.group != Group::reference;
}

std::filesystem::path benchmark_path(const ReplicateRequest& request) {
  return record_path(request).replace_extension().replace_extension(".benchmark.json");
}

std::string exact_filter(std::string_view name) {
  // "]" and "}" are not escaped: alone they match themselves, and POSIX extended has no escape for them.
  std::string pattern = "^";
  for (const char letter : name) {
    if (std::string_view("\\^$.|?*+()[{").find(letter) != std::string_view::npos) pattern += '\\';
    pattern += letter;
  }
  return pattern + "$";
}

std::vector<std::string> benchmark_command(const ReplicateRequest& request) {
  return {request.launch.program.string(),
          "--benchmark_filter=" + exact_filter(request.launch.benchmark),
          "--benchmark_out=" + benchmark_path(request).string(),
          "--benchmark_out_format=json",
          "--benchmark_repetitions=1",
          "--benchmark_format=console"};
}

BenchmarkReading read_benchmark(const BenchmarkOutput& output, const ReplicateRequest& request) {
  const std::vector<BenchmarkEntry> entries = entries_named(output, request.launch.benchmark);
  std::set<std::int64_t> repetitions;
  for (const BenchmarkEntry& entry : entries) {
    if (auto problem = entry_problem(entry, request.launch.plan)) return {std::nullopt, std::move(problem)};
    if (!repetitions.insert(entry.repetition).second) {
      return refused(
          FailureKind::bad_record,
          fmt::format("the program has two benchmarks named {}: tell them apart with ->Name(\"...\")", entry.name));
    }
  }
  return {record_of(entries, output, request), std::nullopt};
}

ReplicateFailure reports_aggregates_only(const std::string& benchmark) {
  return {FailureKind::bad_record,
          fmt::format("the benchmark {} reports aggregates only, and a mean is no observation: take "
                      "->ReportAggregatesOnly() off it, or ->DisplayAggregatesOnly() in its place",
                      benchmark),
          ""};
}

ReplicateFailure names_no_such(const std::string& benchmark, const std::string& listed) {
  std::vector<std::string> names;
  std::istringstream lines(listed);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) names.push_back(line);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto nearest = nearest_name(benchmark, views);
  std::string message = fmt::format("the program has no benchmark named {}", benchmark);
  if (nearest) message += fmt::format("; did you mean {}?", *nearest);
  if (!names.empty()) {
    const std::size_t shown = std::min(names.size(), names_shown);
    message += fmt::format("{} it lists {}: {}{}", nearest ? "" : ";", names.size(),
                           fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                           shown < names.size() ? ", ..." : "");
  }
  return {FailureKind::bad_record, std::move(message), ""};
}

}  // namespace stepgate
