#include "core/verdict/limits/limit_verdict.h"

#include <algorithm>
#include <array>

#include "core/metric.h"
#include "core/text/number_format.h"

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 5> outcome_names = {"met", "missed", "undecided", "unchecked", "not-judged"};

}  // namespace

std::string_view name_of(LimitOutcome outcome) { return outcome_names[static_cast<std::size_t>(outcome)]; }

std::optional<LimitOutcome> limit_outcome_named(std::string_view name) {
  const auto at = std::find(outcome_names.begin(), outcome_names.end(), name);
  if (at == outcome_names.end()) return std::nullopt;
  return static_cast<LimitOutcome>(at - outcome_names.begin());
}

std::string asked_text(const AbsoluteLimit& limit) {
  return label_of(limit.metric) + (is_lower_limit(limit) ? " at least " : " at most ") +
         quantity_text(unit_of(limit.metric), limit.value);
}

std::string_view outcome_text(const LimitVerdict& verdict) {
  const bool is_open_target =
      verdict.limit.kind == AbsoluteLimitKind::target && verdict.outcome == LimitOutcome::missed;
  if (verdict.outcome == LimitOutcome::not_judged) return "not judged";
  return is_open_target ? std::string_view("not met") : name_of(verdict.outcome);
}

std::string measured_text(const LimitVerdict& verdict) {
  const MetricUnit unit = unit_of(verdict.limit.metric);
  std::string text;
  if (verdict.current) {
    // A value that looks like its limit has every digit.
    text = two_quantities(unit, *verdict.current, verdict.limit.value).first;
    if (verdict.range) {
      text += " [" + quantity_text(unit, verdict.range->lower) + ", " + quantity_text(unit, verdict.range->upper) + "]";
    }
    if (verdict.processes > 0) text += " over " + counted(verdict.processes, "process", "processes");
  }
  if (verdict.why.empty()) return text;
  return text.empty() ? verdict.why : text + "; " + verdict.why;
}

std::string text_of(const LimitVerdict& verdict) {
  const std::string measured = measured_text(verdict);
  return asked_text(verdict.limit) + ": " + std::string(outcome_text(verdict)) +
         (measured.empty() ? "" : ", " + measured);
}

}  // namespace stepgate
