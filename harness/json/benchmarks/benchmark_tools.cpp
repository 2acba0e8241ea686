#include "json/benchmarks/benchmark_tools.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace stepgate {
namespace {

constexpr std::string_view write_google_benchmark =
    "write its times in the form of Google Benchmark: {\"context\": {\"date\": ..., \"executable\": ...}, "
    "\"benchmarks\": "
    "[{\"name\": ..., \"run_type\": \"iteration\", \"iterations\": ..., \"real_time\": ..., \"time_unit\": \"ns\"}]}";

struct TextMark {
  std::string_view begins;
  BenchmarkTool tool;
};

constexpr TextMark text_marks[] = {
    {"name,iterations,",
     {"", "CSV of Google Benchmark", "write JSON: --benchmark_out=FILE --benchmark_out_format=json"}},
    {"Benchmark,", {"", "CSV of nvbench", "write JSON: --json FILE"}},
    {"goos:", {"", "the output of go test -bench", write_google_benchmark}},
    {"<", {"", "XML, as Catch2 and others write it", write_google_benchmark}},
    {"PK\x03\x04", {"", "an archive of PyTorch or zip", write_google_benchmark}},
    {"\x80", {"", "a pickle of Python, as torch.utils.benchmark writes it", write_google_benchmark}},
};

/// Keys at the top of the document, "" for none, and one of the first element: of the document itself where it is an
/// array, else of the array under the first key.
struct KeyMark {
  std::string_view key;
  std::string_view second;
  std::string_view element;
  BenchmarkTool tool;
};

/// The first that fits counts.
constexpr KeyMark key_marks[] = {
    {"context",
     "benchmarks",
     "",
     {"google-benchmark", "results of Google Benchmark", "", BenchmarkReaderKind::google_benchmark}},
    {"machine_info",
     "benchmarks",
     "",
     {"", "results of pytest-benchmark", "time the same code with pyperf, which stepgate reads"}},
    {"benchmarks", "", "states", {"nvbench", "results of nvbench", "", BenchmarkReaderKind::nvbench}},
    {"benchmarks", "", "runs", {"pyperf", "results of pyperf", "", BenchmarkReaderKind::pyperf}},
    {"benchmarks", "version", "", {"pyperf", "results of pyperf", "", BenchmarkReaderKind::pyperf}},
    {"benchmarks", "devices", "", {"nvbench", "results of nvbench", "", BenchmarkReaderKind::nvbench}},
    {"results",
     "",
     "command",
     {"", "results of hyperfine", "let pyperf time the command: pyperf command -o FILE -- COMMAND"}},
    {"results", "", "median(elapsed)", {"", "results of nanobench", write_google_benchmark}},
    {"HostEnvironmentInfo", "", "", {"", "results of BenchmarkDotNet", write_google_benchmark}},
    {"", "", "jmhVersion", {"", "results of JMH", write_google_benchmark}},
    {"entries", "lastUpdate", "", {"", "data of github-action-benchmark", write_google_benchmark}},
    {"", "", "benchmark_values", {"", "records of PyTorch's benchmark database", write_google_benchmark}},
    {"", "", "schema_version", {"", "records of PyTorch's benchmark database", write_google_benchmark}},
    {"commit_hash", "results", "", {"", "results of asv", write_google_benchmark}},
    {"mean", "median", "", {"", "estimates of Criterion", write_google_benchmark}},
    {"context", "specializations", "", {"", "results of Primbench", write_google_benchmark}},
    {"traceEvents", "", "", {"", "a trace", "read it with stepgate profile --trace FILE"}},
    {"schema",
     "",
     "",
     {"", "a document of stepgate or of a program like it", "add results of stepgate with stepgate history add"}},
};

std::optional<std::size_t> member_of(const DocumentTree& document, std::size_t value, std::string_view key) {
  if (document.kind(value) != ValueKind::object) return std::nullopt;
  for (std::size_t member = value + 1; member < document.end(value); member = document.end(member)) {
    if (document.key(member) == key) return member;
  }
  return std::nullopt;
}

/// Of the array `value`; absent for an empty one and for anything else.
std::optional<std::size_t> first_element(const DocumentTree& document, std::size_t value) {
  if (document.kind(value) != ValueKind::array || document.children(value) == 0) return std::nullopt;
  return value + 1;
}

bool fits_document(const KeyMark& mark, const DocumentTree& document) {
  constexpr std::size_t root = 0;
  std::size_t list = root;
  if (!mark.key.empty()) {
    const auto member = member_of(document, root, mark.key);
    if (!member) return false;
    list = *member;
  }
  if (!mark.second.empty() && !member_of(document, root, mark.second)) return false;
  if (mark.element.empty()) return true;
  const auto element = first_element(document, list);
  return element && member_of(document, *element, mark.element);
}

}  // namespace

const BenchmarkTool* tool_of_text(std::string_view text) {
  const auto mark = std::find_if(std::begin(text_marks), std::end(text_marks),
                                 [&](const TextMark& row) { return text.starts_with(row.begins); });
  return mark == std::end(text_marks) ? nullptr : &mark->tool;
}

const BenchmarkTool* tool_of_document(const DocumentTree& document) {
  const auto mark = std::find_if(std::begin(key_marks), std::end(key_marks),
                                 [&](const KeyMark& row) { return fits_document(row, document); });
  return mark == std::end(key_marks) ? nullptr : &mark->tool;
}

}  // namespace stepgate
