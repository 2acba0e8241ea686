#include "json/benchmarks/pyperf_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "json/benchmarks/benchmark_document.h"

namespace stepgate {
namespace {

constexpr double ns_per_second = 1e9;
/// pyperf's own default is 20 processes.
constexpr std::size_t most_processes = 10'000;
/// Own choice: some hundred MB of memory. pyperformance writes some ten thousand values.
constexpr std::size_t most_pyperf_values = 500'000;

struct MachineKey {
  const char* key;
  const char* fact;  ///< as Google Benchmark names it, where it has it
};

/// The facts that must be equal within an epoch.
constexpr MachineKey machine_keys[] = {{"hostname", "host_name"},
                                       {"cpu_count", "num_cpus"},
                                       {"cpu_model_name", "cpu_model"},
                                       {"python_implementation", "python_implementation"},
                                       {"python_version", "python_version"}};

constexpr std::string_view other_keys[] = {"name", "unit", "date", "commit_id"};

bool is_read(std::string_view key) {
  const auto has_key = [&](const MachineKey& row) { return row.key == key; };
  return std::any_of(std::begin(machine_keys), std::end(machine_keys), has_key) ||
         std::find(std::begin(other_keys), std::end(other_keys), key) != std::end(other_keys);
}

/// Texts and numbers of the metadata, both as texts.
using PyperfMetadata = std::map<std::string, std::string>;

std::string metadata_text(const Reader& value) {
  if (value.is_number()) return fmt::format("{}", value.number());
  const std::string json = value.json_text();
  return json.starts_with('"') ? value.text() : json;
}

/// What is read of it alone: what the file says of all benchmarks is joined with what each run says.
PyperfMetadata metadata_at(Reader& reader) {
  const auto found = reader.find("metadata");
  if (!found || found->is_null()) return {};
  PyperfMetadata metadata = found->map_of(metadata_text);
  std::erase_if(metadata, [](const auto& one) { return !is_read(one.first); });
  for (const auto& [key, value] : metadata) {
    if (value.size() > most_shared_bytes)
      found->fail(fmt::format("{} is longer than {} bytes", key, most_shared_bytes));
  }
  return metadata;
}

std::string value_of_key(const PyperfMetadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

/// What a benchmark does not say is said of the whole file.
PyperfMetadata joined_metadata(PyperfMetadata own, const PyperfMetadata& common) {
  own.insert(common.begin(), common.end());
  return own;
}

struct PyperfRun {
  PyperfMetadata metadata;
  std::vector<double> seconds;  ///< empty for a run that only calibrated
};

PyperfRun run_at(Reader& reader) {
  PyperfRun run{.metadata = metadata_at(reader), .seconds = {}};
  if (const auto values = reader.find("values")) run.seconds = values->numbers();
  return run;
}

struct PyperfBenchmark {
  PyperfMetadata metadata;
  std::vector<PyperfRun> runs;
};

PyperfBenchmark pyperf_benchmark_at(Reader& reader) {
  PyperfBenchmark benchmark{.metadata = metadata_at(reader), .runs = reader.at("runs").list_of(run_at)};
  std::erase_if(benchmark.runs, [](const PyperfRun& run) { return run.seconds.empty(); });
  return benchmark;
}

Fingerprint machine_in(const PyperfMetadata& metadata) {
  Fingerprint machine;
  for (const MachineKey& row : machine_keys) {
    if (const std::string value = value_of_key(metadata, row.key); !value.empty()) machine[row.fact] = value;
  }
  return machine;
}

void take_run(const std::string& name, const PyperfRun& run, BenchmarkOutput& output) {
  for (std::size_t i = 0; i < run.seconds.size(); ++i) {
    BenchmarkEntry entry;
    entry.name = name;
    entry.repetition = static_cast<std::int64_t>(i);
    entry.iterations = 1;
    entry.real_time_ns = run.seconds[i] * ns_per_second;
    output.entries.push_back(std::move(entry));
  }
}

void take_benchmark(const PyperfBenchmark& benchmark, const PyperfMetadata& common,
                    std::vector<BenchmarkOutput>& outputs) {
  const PyperfMetadata metadata = joined_metadata(benchmark.metadata, common);
  const std::string name = value_of_key(metadata, "name");
  const std::string unit = value_of_key(metadata, "unit");
  if (!unit.empty() && unit != "second") {
    outputs.front().left_out[fmt::format("its unit is {}, which is no time", unit)].insert(name);
    return;
  }
  if (benchmark.runs.size() > most_processes) {
    outputs.front().left_out[fmt::format("it has more than {} runs", most_processes)].insert(name);
    return;
  }
  for (std::size_t i = 0; i < benchmark.runs.size(); ++i) {
    if (outputs.size() <= i) outputs.emplace_back();
    BenchmarkOutput& output = outputs[i];
    const PyperfMetadata of_run = joined_metadata(benchmark.runs[i].metadata, metadata);
    if (output.date.empty()) output.date = value_of_key(of_run, "date");
    if (output.commit.empty()) output.commit = value_of_key(of_run, "commit_id");
    if (output.machine.empty()) output.machine = machine_in(of_run);
    take_run(name, benchmark.runs[i], output);
  }
}

void refuse_too_many_values(const std::vector<PyperfBenchmark>& benchmarks, const std::string& source) {
  std::size_t values = 0;
  for (const PyperfBenchmark& benchmark : benchmarks) {
    for (const PyperfRun& run : benchmark.runs) values += run.seconds.size();
  }
  if (values <= most_pyperf_values) return;
  throw Error(ErrorKind::usage, fmt::format("{}: more than {} values", source, most_pyperf_values),
              "import its benchmarks one by one: pyperf convert FILE --include-benchmark=NAME -o OTHER.json");
}

}  // namespace

std::vector<BenchmarkOutput> pyperf_outputs(Reader document) {
  const PyperfMetadata common = metadata_at(document);
  const std::vector<PyperfBenchmark> benchmarks = document.at("benchmarks").list_of(pyperf_benchmark_at);
  refuse_too_many_values(benchmarks, document.origin().source);
  std::vector<BenchmarkOutput> outputs(1);
  for (const PyperfBenchmark& benchmark : benchmarks) take_benchmark(benchmark, common, outputs);
  return outputs;
}

}  // namespace stepgate
