#include "diagnose/time/break_even_steps.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* first_step_metric = "first_step_ns";
constexpr const char* step_metric = "step_time_ns";
constexpr std::array paced_times = {first_step_metric, step_metric, "enqueue_time_ns"};
constexpr const char* recording_metric = "graph_recording_ns";
constexpr std::array paced_counters = {"graphs_after_warmup", "graph_kernel_nodes", "graph_memcpy_nodes",
                                       "graph_memset_nodes",  "graph_pool_bytes",   recording_metric};
constexpr double ns_per_second = 1e9;

std::optional<std::int64_t> whole_number_in(const Fingerprint& facts, const std::string& key) {
  const auto found = facts.find(key);
  if (found == facts.end()) return std::nullopt;
  std::int64_t number = 0;
  const std::string& text = found->second;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Graphs are recorded after the first step, but no step is faster before that.
StartAndPace pace_of(const PacedCase& one, double compile_ns) {
  const auto recording = one.values.find(recording_metric);
  return {.start_ns = compile_ns + (recording == one.values.end() ? 0 : recording->second),
          .first_step_ns = one.values.at(first_step_metric),
          .step_ns = one.values.at(step_metric)};
}

}  // namespace

std::optional<std::int64_t> break_even_steps(const StartAndPace& fast, const StartAndPace& twin) {
  const double lost_ns = fast.start_ns + fast.first_step_ns - twin.start_ns - twin.first_step_ns;
  if (lost_ns <= 0) return 1;
  const double won_ns = twin.step_ns - fast.step_ns;
  if (won_ns <= 0) return std::nullopt;
  return 1 + static_cast<std::int64_t>(std::ceil(lost_ns / won_ns));
}

void add_paced_values(const CaseValues& values, PacedCase& known) {
  known.case_name = values.case_name;
  for (const char* metric : paced_times) {
    const auto found = values.timed.find(metric);
    if (found != values.timed.end() && !found->second.empty()) known.values.emplace(metric, median(found->second));
  }
  for (const char* metric : paced_counters) {
    const auto found = values.exact.find(metric);
    if (found == values.exact.end() || found->second.empty() || found->second.front().empty()) continue;
    known.values.emplace(metric, static_cast<double>(found->second.front().back()));
  }
  for (const Fingerprint* facts : {&values.timed_fingerprint, &values.exact_fingerprint}) {
    if (!known.compile_seconds) known.compile_seconds = whole_number_in(*facts, "compile_seconds");
  }
}

bool has_pace(const PacedCase& one) {
  return one.values.contains(first_step_metric) && one.values.contains(step_metric);
}

BreakEvenStudy break_even_study(PacedCase fast, PacedCase twin) {
  if (!has_pace(fast) || !has_pace(twin))
    throw std::invalid_argument("a break-even needs first_step_ns and step_time_ns of both cases");
  BreakEvenStudy study{.fast = std::move(fast), .twin = std::move(twin)};
  study.steps = break_even_steps(pace_of(study.fast, 0), pace_of(study.twin, 0));
  if (study.fast.compile_seconds) {
    const double compile_ns = static_cast<double>(*study.fast.compile_seconds) * ns_per_second;
    study.steps_with_compiling = break_even_steps(pace_of(study.fast, compile_ns), pace_of(study.twin, 0));
  }
  return study;
}

}  // namespace stepgate
