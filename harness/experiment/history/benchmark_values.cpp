#include "experiment/history/benchmark_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/metric.h"
#include "core/text/excerpt.h"
#include "core/text/text_lines.h"

namespace stepgate {
namespace {

/// Names are made fit for one line of a terminal and of a table.
struct BenchmarkPlace {
  std::string case_name;
  std::string metric = "step_time_ns";

  friend auto operator<=>(const BenchmarkPlace&, const BenchmarkPlace&) = default;
};

BenchmarkPlace place_of_benchmark(const std::string& executable, const std::string& benchmark) {
  const std::string name = on_one_line(benchmark);
  const std::string program = on_one_line(executable.substr(executable.find_last_of("/\\") + 1));
  if (const std::size_t end = name.rfind(':'); program == "stepgate" && end != std::string::npos && end > 0) {
    const Metric* metric = find_metric(name.substr(end + 1));
    if (metric != nullptr && metric->unit == MetricUnit::ns && metric->tier == Tier::timed)
      return {name.substr(0, end), name.substr(end + 1)};
  }
  return {.case_name = program.empty() ? name : program + "/" + name};
}

/// Why a counter gives no series; "" where it does. A series is named CASE:METRIC@CLASS.
std::string refusal_of_counter(const std::string& name, bool is_finite) {
  if (!is_finite) return "the counter is not finite";
  if (find_metric(name) != nullptr) return "stepgate has a metric of its own with the counter's name";
  if (name.empty() || name.find_first_of(":@") != std::string::npos || on_one_line(name) != name)
    return "a series cannot have the counter's name";
  return "";
}

class BenchmarkReader {
 public:
  BenchmarkReader(const BenchmarkOutput& output, const std::string& source) : output_(output), source_(source) {}

  BenchmarkValues read() {
    for (const BenchmarkEntry& entry : output_.entries) take(entry);
    for (const std::string& name : output_.aggregated) take_aggregated(name);
    for (const auto& [reason, names] : output_.left_out) {
      for (const std::string& name : names) leave_out(reason, place_of_benchmark(output_.executable, name).case_name);
    }
    for (const BenchmarkPlace& twice : doubled_) {
      values_.cases.erase(twice.case_name);
      leave_out("two benchmarks have this name", twice.case_name);
    }
    return std::move(values_);
  }

 private:
  void leave_out(const std::string& reason, std::string what) { values_.left_out[reason].insert(std::move(what)); }

  void take_aggregated(const std::string& name) {
    if (std::ranges::find(output_.entries, name, &BenchmarkEntry::name) != output_.entries.end()) return;
    leave_out("only aggregates are there, and no repetition", place_of_benchmark(output_.executable, name).case_name);
  }

  void take(const BenchmarkEntry& entry) {
    if (on_one_line(entry.name).find_first_not_of(' ') == std::string::npos)
      return leave_out("it has no name", "a benchmark of " + excerpt(output_.executable));
    const BenchmarkPlace place = place_of_benchmark(output_.executable, entry.name);
    if (entry.error) return leave_out("it ended with an error", place.case_name + ": " + excerpt(*entry.error));
    if (entry.skipped) return leave_out("it skipped itself", place.case_name + ": " + excerpt(*entry.skipped));
    if (!entry.real_time_ns || !std::isfinite(*entry.real_time_ns)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: real_time of {} is missing or not finite", source_, excerpt(entry.name)),
                  "measure that benchmark again, or take it out of the file");
    }
    if (!(*entry.real_time_ns > 0) || entry.iterations < 1) return leave_out("nothing was timed", place.case_name);
    if (!seen_.emplace(place, entry.repetition).second) doubled_.insert(place);
    auto& metrics = values_.cases[place.case_name];
    metrics[place.metric].push_back(*entry.real_time_ns);
    for (const auto& [name, value] : entry.counters) take_counter(place.case_name, name, value);
  }

  void take_counter(const std::string& case_name, const std::string& name, const std::optional<double>& value) {
    const std::string refusal = refusal_of_counter(name, value && std::isfinite(*value));
    if (refusal.empty()) return values_.cases[case_name][name].push_back(*value);
    leave_out(refusal, fmt::format("{} of {}", on_one_line(name), case_name));
  }

  const BenchmarkOutput& output_;
  const std::string& source_;
  BenchmarkValues values_;
  std::set<std::pair<BenchmarkPlace, std::int64_t>> seen_;
  std::set<BenchmarkPlace> doubled_;
};

}  // namespace

BenchmarkValues benchmark_values(const BenchmarkOutput& output, const std::string& source) {
  return BenchmarkReader(output, source).read();
}

}  // namespace stepgate
