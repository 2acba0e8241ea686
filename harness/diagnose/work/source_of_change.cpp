#include "diagnose/work/source_of_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/text/operator_change.h"
#include "core/text/source_text.h"
#include "diagnose/both_sides.h"
#include "diagnose/calls/call_history.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using PerFunction = std::map<std::string, double>;

/// A line with the calls of one operator from there.
struct CallingLine {
  SourceFrame frame;
  double calls = 0;          ///< per step
  bool is_new_call = false;  ///< it calls a function that calls the operator
};

const ObservedWork* observed_of(const JudgedComparison& input) {
  const auto& observed = input.current.counts.observed;
  return observed && observed->steps > 0 ? &*observed : nullptr;
}

/// Each line once, new calls first, then most calls of the operator; among equals in the order of files and lines.
/// Without a baseline innermost lines.
std::vector<CallingLine> calling_lines(const ObservedWork& work, const Baseline* baseline, std::string_view boundary,
                                       std::string_view name) {
  std::vector<const OperatorSite*> sites;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary == boundary && site.name == name && site.place) sites.push_back(&site);
  }
  if (sites.empty()) return {};  // the history looks through all stacks
  const CallHistory history(baseline, work);
  std::vector<CallingLine> lines;
  for (const OperatorSite* site : sites) {
    const NamedFrame named = history.frame_to_name(*site);
    if (named.frame == nullptr || source_text(*named.frame).empty()) continue;
    const double calls = static_cast<double>(site->calls) / static_cast<double>(work.steps);
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const CallingLine& line) {
      return line.frame == *named.frame && line.is_new_call == named.is_new_call;
    });
    known == lines.end() ? lines.push_back({*named.frame, calls, named.is_new_call}) : void(known->calls += calls);
  }
  std::sort(lines.begin(), lines.end(), [](const CallingLine& a, const CallingLine& b) {
    return std::tie(b.is_new_call, b.calls, a.frame.file, a.frame.line, a.frame.function) <
           std::tie(a.is_new_call, a.calls, b.frame.file, b.frame.line, b.frame.function);
  });
  return lines;
}

/// Of the lines that call the operator themselves.
PerFunction by_function(const std::vector<CallingLine>& lines) {
  PerFunction calls;
  for (const CallingLine& line : lines) {
    if (!line.is_new_call) calls[line.frame.function] += line.calls;
  }
  return calls;
}

/// Calls per step before. Absent where the baseline knows no functions, or names of another kind.
std::optional<PerFunction> stored_functions(const JudgedComparison& input, std::string_view boundary,
                                            std::string_view name) {
  const Baseline* baseline = work_baseline(input);
  const ObservedWork* work = observed_of(input);
  if (baseline == nullptr || work == nullptr || baseline->operator_functions.empty() ||
      baseline->functions_from != name_of(work->frames_from))
    return std::nullopt;
  PerFunction before;
  const auto operators = baseline->operator_functions.find(std::string(boundary));
  if (operators == baseline->operator_functions.end()) return before;
  const auto functions = operators->second.find(std::string(name));
  if (functions == operators->second.end()) return before;
  const std::size_t steps = counted_steps(baseline->exact);
  if (steps == 0) return std::nullopt;
  for (const auto& [function, calls] : functions->second)
    before[function] = static_cast<double>(calls) / static_cast<double>(steps);
  return before;
}

double calls_in(const PerFunction& calls, const std::string& function) {
  const auto at = calls.find(function);
  return at == calls.end() ? 0 : at->second;
}

/// Sums over some hundred steps divided by their number: equal counts differ by far less than this.
constexpr double rounding = 1e-6;

}  // namespace

std::vector<SourceFrame> sources_of(const JudgedComparison& input, std::string_view boundary, std::string_view name) {
  const ObservedWork* work = observed_of(input);
  if (work == nullptr) return {};
  std::vector<CallingLine> lines = calling_lines(*work, work_baseline(input), boundary, name);
  if (const auto before = stored_functions(input, boundary, name)) {
    const PerFunction now = by_function(lines);
    const auto as_before = [&](const CallingLine& line) {
      return !line.is_new_call &&
             calls_in(now, line.frame.function) <= calls_in(*before, line.frame.function) + rounding;
    };
    std::vector<CallingLine> risen = lines;
    std::erase_if(risen, as_before);
    if (!risen.empty()) lines = std::move(risen);
  }
  std::vector<SourceFrame> sources;
  for (const CallingLine& line : lines) {
    if (sources.size() < most_sources) sources.push_back(line.frame);
  }
  return sources;
}

std::vector<SourceFrame> sources_of_less(const JudgedComparison& input, std::string_view boundary,
                                         std::string_view name) {
  const auto before = stored_functions(input, boundary, name);
  if (!before) return {};
  const PerFunction now = by_function(calling_lines(*observed_of(input), nullptr, boundary, name));
  std::vector<CallingLine> fallen;
  for (const auto& [function, calls] : *before) {
    const double less = calls - calls_in(now, function);
    if (less > rounding) fallen.push_back({{function}, less, false});
  }
  std::stable_sort(fallen.begin(), fallen.end(),
                   [](const CallingLine& a, const CallingLine& b) { return a.calls > b.calls; });
  std::vector<SourceFrame> sources;
  for (const CallingLine& line : fallen) {
    if (sources.size() < most_sources) sources.push_back(line.frame);
  }
  return sources;
}

void add_sources(const std::vector<SourceFrame>& more, std::vector<SourceFrame>& sources) {
  for (const SourceFrame& frame : more) {
    const bool known = std::find(sources.begin(), sources.end(), frame) != sources.end();
    if (!known && sources.size() < most_sources) sources.push_back(frame);
  }
}

std::string at_sources(const std::vector<SourceFrame>& sources) {
  std::string text;
  for (const SourceFrame& frame : sources) {
    if (text.empty()) {
      text = (frame.file.empty() ? " in " : " at ") + source_text(frame);
    } else {
      text += " or " + source_text(frame);
    }
  }
  return text;
}

std::vector<Finding> explain_unknown_lines(const JudgedComparison& input) {
  const ObservedWork* work = observed_of(input);
  const bool unknown = work != nullptr && work->frames_from != FramesFrom::lines && !work->not_lines.empty();
  if (!unknown || !is_red(input, Tier::exact)) return {};
  return {{.code = FindingCode::lines_unknown,
           .severity = Severity::warning,
           .message = fmt::format("no source lines: {}", work->not_lines),
           .advice =
               "build the perftest with -g1, as stepgate_add_perftest does by default, and measure where addr2line "
               "(binutils) is installed; -g1 leaves the code as it is.",
           .metric = ""}};
}

}  // namespace stepgate
