#include "json/exports/series_documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/text_lines.h"
#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

std::string export_text(const Json& document, const char* format) {
  return canonical_text(document, {std::string("export as ") + format, verdict_document});
}

/// A file without an entry says nothing, and the tool that reads it says so at best by an error without a reason.
void require_times(const ExportedRun& run, const Json& entries, const char* format) {
  if (!entries.empty()) return;
  if (!run.emulated_gpu.empty()) {
    throw Error(
        ErrorKind::measure,
        fmt::format("export as {}: the {} has no times, and this format holds nothing else", format, run.emulated_gpu),
        "take a format that holds counts: openmetrics, junit, csv, pytorch, sarif, bencher");
  }
  throw Error(ErrorKind::measure,
              fmt::format("export as {}: the run has no times, and this format holds nothing else", format),
              "export a run of the timed half (--tier timed), or take another format");
}

std::string suite_name_of(const std::string& case_name) { return case_name.substr(0, case_name.find('/')); }

/// pyperf refuses a name with a line break, and compare.py prints a line a name.
/// The context with the commit, as --benchmark_context=commit=ID writes it.
Json benchmark_context(const ExportedRun& run) {
  return {{"commit", run.commit},           {"date", run.utc},         {"host_name", run.runner_class},
          {"executable", "stepgate"},       {"num_cpus", 1},           {"mhz_per_cpu", 0},
          {"cpu_scaling_enabled", false},   {"caches", Json::array()}, {"load_avg", Json::array()},
          {"library_build_type", "release"}};
}

}  // namespace

std::string google_benchmark_text(const ExportedRun& run) {
  Json entries = Json::array();
  for (const ExportedSeries& series : run.series) {
    if (series.unit != MetricUnit::ns) continue;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      entries.push_back({{"name", on_one_line(series.label())},
                         {"run_name", on_one_line(series.label())},
                         {"run_type", "iteration"},
                         {"repetitions", series.values.size()},
                         {"repetition_index", i},
                         {"threads", 1},
                         {"iterations", 1},
                         {"real_time", series.values[i]},
                         {"cpu_time", series.values[i]},
                         {"time_unit", "ns"}});
    }
  }
  require_times(run, entries, "google-benchmark");
  return export_text({{"context", benchmark_context(run)}, {"benchmarks", std::move(entries)}}, "google-benchmark");
}

std::string pyperf_text(const ExportedRun& run) {
  Json benchmarks = Json::array();
  for (const ExportedSeries& series : run.series) {
    // pyperf refuses a time of 0.
    if (series.unit != MetricUnit::ns || std::ranges::any_of(series.values, [](double ns) { return !(ns > 0); }))
      continue;
    Json runs = Json::array();
    for (const double ns : series.values) runs.push_back({{"values", Json::array({ns * 1e-9})}});
    benchmarks.push_back({{"metadata", {{"name", on_one_line(series.label())}}}, {"runs", std::move(runs)}});
  }
  require_times(run, benchmarks, "pyperf");
  return export_text(
      {{"version", "1.0"}, {"metadata", {{"unit", "second"}, {"loops", 1}}}, {"benchmarks", std::move(benchmarks)}},
      "pyperf");
}

std::string pytorch_text(const ExportedRun& run) {
  Json records = Json::array();
  for (const ExportedSeries& series : run.series) {
    const bool bytes = series.unit == MetricUnit::bytes;
    Json values = Json::array();
    for (const double value : series.values) values.push_back(bytes ? value / (1024.0 * 1024.0) : value);
    const std::string unit = bytes ? "MiB" : std::string(name_of(series.unit));
    records.push_back({{"timestamp", run.unix_s},
                       {"schema_version", "v3"},
                       {"name", series.case_name},
                       {"benchmark", {{"name", "stepgate"}, {"mode", "training"}, {"dtype", ""}}},
                       {"model", {{"name", series.case_name}, {"type", suite_name_of(series.case_name)}}},
                       {"metric",
                        {{"name", series.metric},
                         {"benchmark_values", std::move(values)},
                         {"target_value", 0},
                         {"extra_info", {{"unit", unit}}}}},
                       {"runners", Json::array({{{"name", run.runner_class}}})}});
  }
  return export_text(records, "pytorch");
}

std::string bencher_text(const ExportedRun& run) {
  Json document = Json::object();
  for (const ExportedSeries& series : run.series) {
    const auto [lowest, highest] = std::ranges::minmax(series.values);
    Json& measure = document[series.case_name][series.metric] = {{"value", series.value}};
    if (lowest <= series.value && series.value <= highest && lowest < highest) {
      measure["lower_value"] = lowest;
      measure["upper_value"] = highest;
    }
  }
  return export_text(document, "bencher");
}

std::string github_action_text(const ExportedRun& run, Direction direction) {
  Json entries = Json::array();
  for (const ExportedSeries& series : run.series) {
    if (series.direction != direction) continue;
    entries.push_back({{"name", series.label()}, {"unit", name_of(series.unit)}, {"value", series.value}});
  }
  return export_text(entries, "github-action-benchmark");
}

}  // namespace stepgate
