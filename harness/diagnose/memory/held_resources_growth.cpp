#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/catalogue/held_metrics.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// The boundary with at least half of the rise; "" where none has it.
std::string boundary_of(const ResourceRise& rise) {
  std::int64_t rises = 0;
  for (const auto& [boundary, amount] : rise.by_boundary) rises += std::max<std::int64_t>(0, amount);
  const auto most = std::max_element(rise.by_boundary.begin(), rise.by_boundary.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return rises > 0 && most->second * 2 >= rises ? most->first : "";
}

/// ", in logging (socket)", ", in forward (deleted file, such as /tmp/x)"
std::string where_and_what(const ResourceRise& rise) {
  const std::string boundary = boundary_of(rise);
  std::string text;
  if (!boundary.empty()) {
    text = ", in " + boundary;
  } else if (rise.by_boundary.size() > 1) {
    text = ", in several boundaries";
  }
  if (rise.kind.empty() && rise.example.empty()) return text;
  const std::string example = rise.example.empty() ? "" : "such as " + rise.example;
  return text + fmt::format(" ({}{}{})", rise.kind, rise.kind.empty() || example.empty() ? "" : ", ", example);
}

/// The most that a process showed before. A metric that the baseline lacks counts as 0.
std::int64_t growth_before(const Baseline* baseline, const std::string& metric) {
  if (baseline == nullptr) return 0;
  const auto at = baseline->bytes.find(metric);
  return at == baseline->bytes.end() || at->second.empty() ? 0
                                                           : *std::max_element(at->second.begin(), at->second.end());
}

std::optional<Finding> resource_finding(const JudgedComparison& input, const Metric& metric) {
  const std::string name(metric.name);
  const auto at = input.current.bytes.find(name);
  if (at == input.current.bytes.end() || at->second.empty()) return std::nullopt;
  std::int64_t now = *std::max_element(at->second.begin(), at->second.end());
  // Below the noise floor only the verdict knows it.
  const MetricVerdict* verdict = verdict_on(input, name);
  if (verdict != nullptr && is_red(input, name) && verdict->current)
    now = std::max<std::int64_t>(now, std::llround(*verdict->current));
  const std::int64_t before = std::max<std::int64_t>(0, growth_before(work_baseline(input), name));
  if (now <= before) return std::nullopt;
  const auto rise = input.current.rises.find(std::string(metric.series));
  const std::string place = rise == input.current.rises.end() ? "" : where_and_what(rise->second);
  const auto text = [&](std::int64_t amount) {
    return metric.unit == MetricUnit::bytes ? exact_bytes_text(amount) : count_text(static_cast<double>(amount));
  };
  return Finding{
      .code = FindingCode::resource_grew,
      .severity = is_red(input, name) ? Severity::cause : Severity::warning,
      .message = fmt::format("{}: {} in each step ({} before){}", metric.label, text(now), text(before), place),
      .advice = std::string(metric.advice),
      .metric = name,
      .boundary = rise == input.current.rises.end() ? "" : boundary_of(rise->second)};
}

/// The number and the bytes of the same files are one fault.
bool is_same_fault(const Finding& one, const Finding& other) {
  return one.advice == other.advice && one.boundary == other.boundary && one.severity == other.severity;
}

}  // namespace

std::vector<Finding> explain_held_resources(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const Metric& metric : catalogue::held_metrics) {
    auto finding = resource_finding(input, metric);
    if (!finding) continue;
    if (!findings.empty() && is_same_fault(findings.back(), *finding)) {
      findings.back().also.push_back(finding->metric);
    } else {
      findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

}  // namespace stepgate
