#include "experiment/history/imported_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/utc_time.h"
#include "json/benchmarks/benchmark_file_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_import(const fs::path& file, const std::string& problem, const std::string& remedy) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", file.string(), problem), remedy);
}

void refuse_without_runs(const ImportedFile& file) {
  const auto untyped = [](const BenchmarkOutput& process) { return !process.run_types; };
  const auto has_runs = [](const BenchmarkOutput& process) { return !process.entries.empty(); };
  const auto has_aggregates = [](const BenchmarkOutput& process) { return !process.aggregated.empty(); };
  const auto& processes = file.results.processes;
  if (std::ranges::any_of(processes, untyped)) {
    refuse_import(file.path, "its rows do not say which of them are aggregates (run_type is missing)",
                  "write it with Google Benchmark 1.5 or later");
  }
  if (std::ranges::any_of(processes, has_runs)) return;
  if (std::ranges::any_of(processes, has_aggregates)) {
    refuse_import(file.path, "holds aggregates only: a mean or median of a process is not a value of a repetition",
                  "write the repetitions too: without --benchmark_report_aggregates_only, and without "
                  "->ReportAggregatesOnly() in the program");
  }
  for (const BenchmarkOutput& process : processes) {
    if (process.left_out.empty()) continue;
    refuse_import(file.path, "every benchmark of it is left out, because " + process.left_out.begin()->first,
                  "measure times, and import that file");
  }
  if (file.results.tool == "pyperf") {
    refuse_import(file.path, "no run of it has values",
                  "measure again with pyperf 1.0 or later: before, perf wrote samples in their place; runs that only "
                  "calibrate have none");
  }
  refuse_import(file.path, "holds no benchmark", "did a filter match nothing?");
}

std::int64_t seconds_of_change(const fs::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_mtime) : 0;
}

std::int64_t seconds_of_file(const ImportedFile& file, const Observer& observer) {
  const auto dated = std::ranges::find_if(file.results.processes,
                                          [](const BenchmarkOutput& process) { return !process.date.empty(); });
  const std::string date = dated == file.results.processes.end() ? "" : dated->date;
  if (const auto seconds = unix_seconds_of_local(date)) return *seconds;
  if (const auto seconds = unix_seconds_without_zone(date)) {
    observer.on_notice({Severity::note, fmt::format("{}: the time {} names no zone, and is read as UTC",
                                                    file.path.string(), excerpt(date))});
    return *seconds;
  }
  if (date.empty() && file.results.tool != "google-benchmark") {
    const std::int64_t seconds = seconds_of_change(file.path);
    observer.on_notice({Severity::note, fmt::format("{}: names no time, so that of its last change counts: {}",
                                                    file.path.string(), utc_text(seconds))});
    return seconds;
  }
  refuse_import(file.path, fmt::format("context.date: '{}' is not a time", excerpt(date)),
                "it is like 2026-11-23T07:57:14+00:00 in files of Google Benchmark 1.5.1 and later, and like "
                "2019-10-04 13:41:08 before");
}

}  // namespace

std::vector<ImportedFile> read_benchmark_files(const std::vector<fs::path>& paths, const Observer& observer) {
  std::vector<ImportedFile> files;
  for (const fs::path& path : paths) {
    ImportedFile file{.path = path, .text = read_text_file(path), .results = {}};
    file.results = benchmark_file_from_text(file.text, path.string());
    refuse_without_runs(file);
    file.unix_s = seconds_of_file(file, observer);
    const auto same = std::ranges::find(files, file.text, &ImportedFile::text);
    if (same != files.end())
      refuse_import(path, fmt::format("has the contents of {}, and would count twice", same->path.string()),
                    "leave one of the two out");
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace stepgate
