#include "json/records/benchmark_output_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "json/text/loose_numbers.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType benchmark_document{
    "", "Google Benchmark output", 0,
    0,  ErrorKind::measure,        "run the program by hand: PROGRAM --benchmark_out=FILE --benchmark_out_format=json"};

std::string text_or_empty(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found ? found->text() : "";
}

/// Absent if the key is missing or its value was not finite.
std::optional<double> number_if_finite(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found && !found->is_null() ? std::optional(found->number()) : std::nullopt;
}

std::int64_t integer_or(Reader& reader, std::string_view key, std::int64_t otherwise) {
  const auto found = reader.find(key);
  return found ? found->integer() : otherwise;
}

double ns_per_unit(Reader& reader) {
  static constexpr auto ns_of = [](std::string_view unit) -> std::optional<double> {
    if (unit == "ns") return 1;
    if (unit == "us") return 1e3;
    if (unit == "ms") return 1e6;
    if (unit == "s") return 1e9;
    return std::nullopt;
  };
  return reader.at("time_unit").one_of(ns_of, "ns, us, ms, s");
}

bool is_set(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found && found->boolean();
}

/// Numbers of a row that are not counters of a user.
constexpr std::array<std::string_view, 8> fields_of_the_format = {"family_index", "per_family_instance_index",
                                                                  "repetitions",  "repetition_index",
                                                                  "threads",      "iterations",
                                                                  "real_time",    "cpu_time"};

struct NumberField {
  bool is_number = false;            ///< also one that was not finite; a text is none
  std::optional<double> value = {};  ///< absent where it was not finite
};

NumberField number_field(Reader& field) {
  if (field.is_number()) return {true, field.number()};
  return {field.is_null(), std::nullopt};
}

std::map<std::string, std::optional<double>> counters_of(const Reader& row) {
  std::map<std::string, std::optional<double>> counters;
  for (const auto& [name, field] : row.map_of(number_field)) {
    if (field.is_number && std::ranges::find(fields_of_the_format, name) == fields_of_the_format.end())
      counters.emplace(name, field.value);
  }
  return counters;
}

void read_times(Reader& reader, BenchmarkEntry& entry) {
  const double unit_ns = ns_per_unit(reader);
  const auto in_ns = [&](std::string_view key) -> std::optional<double> {
    const auto time = number_if_finite(reader, key);
    return time ? std::optional(*time * unit_ns) : std::nullopt;
  };
  entry.iterations = reader.at("iterations").integer();
  entry.real_time_ns = in_ns("real_time");
  entry.cpu_time_ns = in_ns("cpu_time");
  entry.items_per_s = number_if_finite(reader, "items_per_second");
  entry.counters = counters_of(reader);
}

/// The times of a failed run mean nothing.
BenchmarkEntry entry_at(Reader& reader) {
  BenchmarkEntry entry;
  entry.name = reader.at("name").text();
  entry.threads = integer_or(reader, "threads", 1);
  entry.repetition = integer_or(reader, "repetition_index", 0);
  if (is_set(reader, "error_occurred")) {
    entry.error = text_or_empty(reader, "error_message");
  } else if (is_set(reader, "skipped")) {
    entry.skipped = text_or_empty(reader, "skip_message");
  } else {
    read_times(reader, entry);
  }
  return entry;
}

bool is_aggregate(Reader& reader) {
  return text_or_empty(reader, "run_type") == "aggregate" || reader.find("aggregate_name").has_value();
}

/// A curve through the times of several benchmarks, and its error: no aggregate of any of them.
bool is_complexity(Reader& reader) {
  const std::string aggregate = text_or_empty(reader, "aggregate_name");
  return aggregate == "BigO" || aggregate == "RMS" || reader.find("big_o").has_value();
}

/// "Data 1 48 KiB x1": kind, level, size, and how many CPUs share it.
std::string cache_at(Reader& reader) {
  constexpr std::int64_t kibibyte = 1024;
  return fmt::format("{} {} {} KiB x{}", reader.at("type").text(), reader.at("level").integer(),
                     reader.at("size").integer() / kibibyte, integer_or(reader, "num_sharing", 1));
}

/// The clock, rounded to 100 MHz: in a virtual machine it is read while it runs, and moves by some MHz.
std::string clock_text(double mhz) {
  constexpr double step_mhz = 100;
  return fmt::format("{:.0f}", std::round(mhz / step_mhz) * step_mhz);
}

Fingerprint machine_of(Reader& context) {
  Fingerprint facts;
  if (const auto name = context.find("host_name")) facts["host_name"] = name->text();
  if (const auto cpus = context.find("num_cpus")) facts["num_cpus"] = std::to_string(cpus->integer());
  if (const auto mhz = number_if_finite(context, "mhz_per_cpu")) facts["mhz_per_cpu"] = clock_text(*mhz);
  if (const auto caches = context.find("caches"))
    facts["caches"] = fmt::format("{}", fmt::join(caches->list_of(cache_at), ", "));
  return facts;
}

/// A row of the file: a run, or a name that has aggregates.
struct BenchmarkRow {
  std::optional<BenchmarkEntry> run;
  std::string aggregated;  ///< "" for a run, and for a row of a complexity
  bool has_type = false;
};

BenchmarkRow row_at(Reader& reader) {
  BenchmarkRow row;
  row.has_type = reader.find("run_type").has_value();
  if (is_complexity(reader)) return row;
  if (is_aggregate(reader))
    row.aggregated = reader.find("run_name") ? text_or_empty(reader, "run_name") : text_or_empty(reader, "name");
  else
    row.run = entry_at(reader);
  return row;
}

void take_row(BenchmarkRow row, BenchmarkOutput& output) {
  output.run_types = output.run_types && row.has_type;
  if (row.run)
    output.entries.push_back(std::move(*row.run));
  else if (!row.aggregated.empty() && std::ranges::find(output.aggregated, row.aggregated) == output.aggregated.end())
    output.aggregated.push_back(std::move(row.aggregated));
}

}  // namespace

BenchmarkOutput benchmark_output_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, benchmark_document};
  const DocumentTree document = read_document(without_bare_non_finite(text), origin);
  Reader reader(document, origin);
  Reader context = reader.at("context");
  BenchmarkOutput output;
  output.executable = text_or_empty(context, "executable");
  output.library_version = text_or_empty(context, "library_version");
  output.library_build_type = text_or_empty(context, "library_build_type");
  if (const auto scaling = context.find("cpu_scaling_enabled")) output.cpu_scaling = scaling->boolean();
  output.date = text_or_empty(context, "date");
  output.commit = text_or_empty(context, "commit");
  output.machine = machine_of(context);
  for (BenchmarkRow& row : reader.at("benchmarks").list_of(row_at)) take_row(std::move(row), output);
  return output;
}

}  // namespace stepgate
