#include "json/records/benchmark_output_json.h"

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

}  // namespace

BenchmarkOutput benchmark_output_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, benchmark_document};
  const Json document = parse_document(without_bare_non_finite(text), origin);
  Reader reader(document, origin);
  Reader context = reader.at("context");
  BenchmarkOutput output;
  output.executable = text_or_empty(context, "executable");
  output.library_version = text_or_empty(context, "library_version");
  output.library_build_type = text_or_empty(context, "library_build_type");
  if (const auto scaling = context.find("cpu_scaling_enabled")) output.cpu_scaling = scaling->boolean();
  const auto entries = reader.at("benchmarks").list_of([](Reader& entry) {
    return is_aggregate(entry) ? std::nullopt : std::optional(entry_at(entry));
  });
  for (const auto& entry : entries) {
    if (entry) output.entries.push_back(*entry);
  }
  return output;
}

}  // namespace stepgate
