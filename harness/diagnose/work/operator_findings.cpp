#include "diagnose/work/operator_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/calls/function_runs.h"
#include "diagnose/float64_calls.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"
#include "diagnose/work/step_spread.h"

namespace stepgate {
namespace {

/// A new layer adds a call or two of an operator; a batch taken apart adds as many as it has samples. Of a function
/// that runs for each of many layers the calls of one run count.
constexpr double loop_ratio = 10;

/// How many operators a message names; the operator tables of the report have the rest.
constexpr std::size_t named_operators = 5;

enum class ChangePattern { host_sync, loop, copy, plain };

struct PatternText {
  ChangePattern pattern;
  FindingCode code;
  std::string_view advice;
};

constexpr std::array<PatternText, 4> pattern_texts = {
    PatternText{
        ChangePattern::host_sync, FindingCode::host_sync_added,
        "this is a host sync, as .item() and .cpu() make one: the host waits until the device is done. Keep the "
        "value on the device, or read it seldom and outside the step."},
    PatternText{ChangePattern::loop, FindingCode::loop_instead_of_batch,
                "many small calls of one operator look like a loop where one batched call was: stack the inputs and "
                "call it once."},
    PatternText{ChangePattern::copy, FindingCode::copy_added,
                "a tensor is copied: look for .contiguous(), .clone(), .to() or a view that became a copy; a layout "
                "that the next operator takes as it is avoids it."},
    PatternText{ChangePattern::plain, FindingCode::operator_added,
                "look at what changed in the code of this boundary."}};

/// Views, fills and allocations come with what computes on them: many of them are not a loop, and they tell least.
bool computes_nothing(std::string_view name) {
  constexpr std::array<std::string_view, 6> bare = {"aten::detach", "aten::detach_", "aten::full",
                                                    "aten::ones",   "aten::zero_",   "aten::zeros"};
  return is_plumbing(name) || is_view(name) || std::find(bare.begin(), bare.end(), name) != bare.end();
}

bool is_loop(const JudgedComparison& input, const OperatorChange& change) {
  if (computes_nothing(change.name) || change.after < loop_ratio * std::max(change.before, 1.0)) return false;
  const std::optional<double> per_run = calls_per_run(input, change.boundary, change.name);  // looks through all calls
  return !per_run || *per_run >= loop_ratio;
}

ChangePattern pattern_of(const JudgedComparison& input, const OperatorChange& change) {
  constexpr std::array<std::string_view, 4> copies = {"aten::contiguous", "aten::clone", "aten::copy_",
                                                      "aten::_to_copy"};
  if (change.name == "aten::_local_scalar_dense") return ChangePattern::host_sync;
  // Copies first: a copy of each parameter is not a loop over the batch, and a real loop calls other operators too.
  if (std::find(copies.begin(), copies.end(), change.name) != copies.end()) return ChangePattern::copy;
  return is_loop(input, change) ? ChangePattern::loop : ChangePattern::plain;
}

/// An operator that is called more often.
struct AddedOperator {
  OperatorChange change;
  ChangePattern pattern;
};

/// Copies are the change only where nothing else computes more: a forward pass or a dropout brings copies along.
ChangePattern pattern_of_all(const std::vector<AddedOperator>& added) {
  ChangePattern most_specific = ChangePattern::plain;
  bool computes = false;
  for (const auto& [change, pattern] : added) {
    most_specific = std::min(most_specific, pattern);
    computes = computes || (pattern == ChangePattern::plain && !computes_nothing(change.name));
  }
  return most_specific == ChangePattern::copy && computes ? ChangePattern::plain : most_specific;
}

/// A host sync is worse than ten cheap calls, a loop explains the rest, and an operator that the boundary did not call
/// before says more than one that it calls once more.
int how_telling(const AddedOperator& added) {
  if (added.pattern == ChangePattern::host_sync) return 0;
  if (added.pattern == ChangePattern::loop) return 1;
  if (computes_nothing(added.change.name)) return 4;
  return added.change.before == 0 ? 2 : 3;
}

/// Among equals the largest difference stays first.
std::vector<OperatorChange> most_telling_first(std::vector<AddedOperator> added) {
  std::stable_sort(added.begin(), added.end(),
                   [](const AddedOperator& a, const AddedOperator& b) { return how_telling(a) < how_telling(b); });
  std::vector<OperatorChange> changes;
  changes.reserve(added.size());
  for (AddedOperator& one : added) changes.push_back(std::move(one.change));
  return changes;
}

/// "+1 aten::mul at model.cpp:7 in Net::forward, +1 aten::add": `at` belongs to the first.
std::string named(const std::vector<OperatorChange>& changes, double factor, bool with_sign = true,
                  const std::string& at = "") {
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), named_operators); ++i) {
    const OperatorChange& change = changes[i];
    const double amount = factor * change.difference();
    const std::string count = with_sign ? difference_text(MetricUnit::count, amount) : count_text(std::abs(amount));
    text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", count, change.name, i == 0 ? at : "");
  }
  if (changes.size() > named_operators) text += fmt::format(" (and {} more)", changes.size() - named_operators);
  return text;
}

/// What is gone altogether and computes tells most.
int how_telling_if_removed(const OperatorChange& change) {
  if (computes_nothing(change.name)) return 2;
  return change.after == 0 ? 0 : 1;
}

Finding finding_on_removed(const JudgedComparison& input, std::vector<OperatorChange> removed,
                           const WholeAmounts& amounts) {
  std::stable_sort(removed.begin(), removed.end(), [](const OperatorChange& a, const OperatorChange& b) {
    return how_telling_if_removed(a) < how_telling_if_removed(b);
  });
  const std::string boundary = removed.front().boundary;
  const std::string at = at_sources(sources_of_less(input, boundary, removed.front().name));
  return {.code = FindingCode::operator_removed,
          .severity = Severity::note,
          .message = fmt::format("{}: {}{}", boundary, named(removed, amounts.factor, true, at), amounts.per),
          .advice = "",
          .metric = "operators_per_step",
          .boundary = boundary};
}

/// The operators of one boundary that a step calls more or less often.
struct BoundaryChanges {
  std::string boundary;
  std::vector<OperatorChange> added;
  std::vector<OperatorChange> removed;
};

/// Lines of each operator that the message names, the most telling first.
std::vector<SourceFrame> sources_of_all(const JudgedComparison& input, const std::vector<OperatorChange>& added) {
  std::vector<SourceFrame> sources;
  for (std::size_t i = 0; i < std::min(added.size(), named_operators); ++i) {
    if (sources.size() == most_sources) break;  // each call looks through all stacks
    add_sources(sources_of(input, added[i].boundary, added[i].name), sources);
  }
  return sources;
}

/// Whether one of them makes float64 values where it is called more often.
bool add_float64(const JudgedComparison& input, const std::vector<OperatorChange>& added) {
  return std::any_of(added.begin(), added.end(), [&](const OperatorChange& change) {
    return makes_float64(input, {change.boundary, change.name, {}}) &&  // the cheap question first
           makes_float64(input, {change.boundary, change.name, sources_of(input, change.boundary, change.name)});
  });
}

Finding finding_on_added(const JudgedComparison& input, const BoundaryChanges& changes, const WholeAmounts& amounts) {
  const auto& [boundary, added, removed] = changes;
  std::vector<AddedOperator> patterns;
  for (const OperatorChange& change : added) patterns.push_back({change, pattern_of(input, change)});
  const PatternText& text = pattern_texts[static_cast<std::size_t>(pattern_of_all(patterns))];
  const std::vector<OperatorChange> telling = most_telling_first(std::move(patterns));
  const std::string at = at_sources(sources_of(input, boundary, telling.front().name));
  std::string message = fmt::format("{}: {}{}{}", boundary, named(telling, amounts.factor, true, at), amounts.per,
                                    add_float64(input, added) ? ", in float64" : "");
  if (!removed.empty()) message += fmt::format("; instead of {}", named(removed, amounts.factor, false));
  Finding finding{.code = text.code,
                  .severity = Severity::cause,
                  .message = message,
                  .advice = std::string(text.advice),
                  .metric = "operators_per_step",
                  .boundary = boundary,
                  .sources = sources_of_all(input, telling)};
  if (text.pattern == ChangePattern::host_sync) {
    finding.metric = "host_syncs_per_step";
    finding.also = {"operators_per_step"};
  }
  return finding;
}

Finding finding_on(const JudgedComparison& input, const std::vector<OperatorChange>& changes,
                   const std::optional<StepSpread>& spread) {
  BoundaryChanges sorted{changes.front().boundary, {}, {}};
  std::vector<double> means;
  for (const OperatorChange& change : changes) {
    (change.difference() > 0 ? sorted.added : sorted.removed).push_back(change);
    means.push_back(change.difference());
  }
  const WholeAmounts amounts = whole_amounts(means, spread);
  return sorted.added.empty() ? finding_on_removed(input, std::move(sorted.removed), amounts)
                              : finding_on_added(input, sorted, amounts);
}

}  // namespace

std::vector<Finding> explain_operators(const JudgedComparison& input) {
  const auto changes = operator_difference(input);
  const auto spread = step_spread(input, "operators_per_step");
  std::vector<Finding> findings;
  for (std::size_t begin = 0; begin < changes.size();) {
    std::size_t end = begin;
    while (end < changes.size() && changes[end].boundary == changes[begin].boundary) ++end;
    const auto first = changes.begin() + static_cast<std::ptrdiff_t>(begin);
    Finding finding = finding_on(input, {first, changes.begin() + static_cast<std::ptrdiff_t>(end)}, spread);
    // Other operators are the reason for a red only where there is one; else they are worth knowing, no more.
    if (input.verdict.status != Status::regressed) finding.severity = Severity::note;
    findings.push_back(std::move(finding));
    begin = end;
  }
  return findings;
}

bool adds_only_views(const JudgedComparison& input, const std::string& boundary) {
  const auto changes = operator_difference(input);
  return std::all_of(changes.begin(), changes.end(), [&](const OperatorChange& change) {
    return change.boundary != boundary || change.difference() <= 0 || computes_nothing(change.name);
  });
}

bool removes_computation(const JudgedComparison& input, const std::string& boundary) {
  const auto changes = operator_difference(input);
  return std::any_of(changes.begin(), changes.end(), [&](const OperatorChange& change) {
    return change.boundary == boundary && change.difference() < 0 && !computes_nothing(change.name);
  });
}

}  // namespace stepgate
