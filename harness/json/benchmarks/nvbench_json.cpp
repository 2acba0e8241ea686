#include "json/benchmarks/nvbench_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "json/benchmarks/benchmark_document.h"

namespace stepgate {
namespace {

constexpr double ns_per_s = 1e9;
constexpr double most_samples = 1e15;  // more is no number of runs, and would not fit an integer

/// The mean, not the median: older versions write no median, and a series must not change with the version.
constexpr const char* gpu_time_tag = "nv/cold/time/gpu/mean";
constexpr const char* cpu_only_time_tag = "nv/cpu_only/time/cpu/mean";
constexpr const char* samples_tag = "nv/cold/sample_size";

struct CounterTag {
  const char* tag;
  const char* counter;
};

constexpr CounterTag counter_tags[] = {{"nv/cold/bw/global/bytes_per_second", "bytes_per_second"},
                                       {"nv/cold/bw/item_rate", "items_per_second"}};

using Summaries = std::map<std::string, double>;  ///< by tag; only those with a finite number

/// A number, or its digits as a text: newer versions write each value as a text.
std::optional<double> nvbench_number(const Reader& value) {
  if (value.is_number()) return value.number();
  if (value.is_null()) return std::nullopt;
  const std::string text = value.text();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

struct NamedValue {
  std::string name;
  std::optional<double> value;
};

NamedValue named_value_at(Reader& reader) {
  NamedValue named{.name = reader.at("name").text(), .value = std::nullopt};
  if (named.name == "value") named.value = nvbench_number(reader.at("value"));
  return named;
}

struct NvbenchSummary {
  std::string tag;
  std::optional<double> value;
};

NvbenchSummary summary_at(Reader& reader) {
  NvbenchSummary summary{.tag = reader.at("tag").text(), .value = std::nullopt};
  for (const NamedValue& named : reader.at("data").list_of(named_value_at)) {
    if (named.name == "value") summary.value = named.value;
  }
  return summary;
}

Summaries summaries_of(Reader& state) {
  Summaries summaries;
  const auto list = state.find("summaries");
  if (!list || list->is_null()) return summaries;
  for (const NvbenchSummary& summary : list->list_of(summary_at)) {
    if (summary.value) summaries[summary.tag] = *summary.value;
  }
  return summaries;
}

std::string text_at(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found && !found->is_null() ? found->text() : "";
}

void add_times(const Summaries& summaries, BenchmarkEntry& entry) {
  for (const char* tag : {gpu_time_tag, cpu_only_time_tag}) {
    const auto time = summaries.find(tag);
    if (time == summaries.end()) continue;
    entry.real_time_ns = time->second * ns_per_s;
    break;
  }
  const auto samples = summaries.find(samples_tag);
  entry.iterations =
      samples == summaries.end() ? 1 : std::max<std::int64_t>(1, std::llround(std::min(samples->second, most_samples)));
  for (const CounterTag& row : counter_tags) {
    if (const auto rate = summaries.find(row.tag); rate != summaries.end()) entry.counters[row.counter] = rate->second;
  }
}

BenchmarkEntry state_at(Reader& reader) {
  BenchmarkEntry entry;
  entry.name = text_at(reader, "name");
  if (entry.name.empty()) entry.name = text_at(reader, "description");  // in older versions
  const auto skipped = reader.find("is_skipped");
  if (skipped && skipped->boolean()) {
    entry.skipped = text_at(reader, "skip_reason");
  } else {
    add_times(summaries_of(reader), entry);
  }
  return entry;
}

struct NvbenchBenchmark {
  std::string name;
  std::vector<BenchmarkEntry> states;
};

NvbenchBenchmark nvbench_benchmark_at(Reader& reader) {
  NvbenchBenchmark benchmark{.name = reader.at("name").text(), .states = {}};
  if (benchmark.name.size() > most_shared_bytes)
    reader.fail(fmt::format("its name is longer than {} bytes", most_shared_bytes));
  const auto states = reader.find("states");
  if (states && !states->is_null()) benchmark.states = states->list_of(state_at);
  return benchmark;
}

void take_states(NvbenchBenchmark benchmark, BenchmarkOutput& output) {
  for (BenchmarkEntry& state : benchmark.states) {
    state.name = state.name.empty() ? benchmark.name : benchmark.name + "/" + state.name;
    if (state.skipped || state.real_time_ns) {
      output.entries.push_back(std::move(state));
    } else {
      output.left_out[fmt::format("it has no {} that is finite", gpu_time_tag)].insert(state.name);
    }
  }
}

std::string device_name_at(Reader& reader) { return reader.at("name").text(); }

}  // namespace

BenchmarkOutput nvbench_output(Reader document) {
  BenchmarkOutput output;
  if (auto meta = document.find("meta")) {
    if (const auto words = meta->find("argv"); words && !words->is_null()) {
      const std::vector<std::string> argv = words->texts();
      if (!argv.empty()) output.executable = argv.front();
    }
  }
  if (const auto devices = document.find("devices"); devices && !devices->is_null()) {
    std::string gpus;
    for (const std::string& name : devices->list_of(device_name_at)) gpus += (gpus.empty() ? "" : ", ") + name;
    output.machine["gpu"] = gpus;
  }
  for (NvbenchBenchmark& benchmark : document.at("benchmarks").list_of(nvbench_benchmark_at))
    take_states(std::move(benchmark), output);
  return output;
}

}  // namespace stepgate
