#include "diagnose/calls/call_history.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/stored/function_calls.h"
#include "core/text/operator_change.h"

namespace stepgate {
namespace {

/// Sums over some hundred steps divided by their number: equal counts differ by far less than this.
constexpr double call_rounding = 1e-6;

/// How often operators below a call run, per step.
struct CallRange {
  double least = 0;
  double most = 0;

  void add(const CallRange& other) {
    least += other.least;
    most += other.most;
  }
};

/// Only a call that is made more often moves both ends.
bool exceeds(const CallRange& now, const CallRange& before) {
  return now.least > before.least + call_rounding && now.most > before.most + call_rounding;
}

/// One line that calls.
struct LineOfCaller {
  std::string callee;
  CallRange calls;
};
using LinesOfCallers = std::map<std::string, std::vector<LineOfCaller>>;
using CallsByCallee = std::map<std::string, CallRange>;

LineOfCaller per_step(const FunctionCall& call, double steps) {
  return {call.callee, {static_cast<double>(call.least) / steps, static_cast<double>(call.most) / steps}};
}

LinesOfCallers lines_before(const Baseline& baseline, double steps) {
  LinesOfCallers lines;
  for (const auto& [caller, calls] : baseline.function_calls) {
    for (const FunctionCall& call : calls) lines[caller].push_back(per_step(call, steps));
  }
  return lines;
}

LinesOfCallers lines_now(const std::vector<CallFromLine>& calls, double steps) {
  LinesOfCallers lines;
  for (const CallFromLine& one : calls) lines[one.caller.function].push_back(per_step(one.call, steps));
  return lines;
}

CallsByCallee calls_by_callee(const std::vector<LineOfCaller>& lines) {
  CallsByCallee calls;
  for (const LineOfCaller& line : lines) calls[line.callee].add(line.calls);
  return calls;
}

CallsByCallee calls_by_callee(const LinesOfCallers& callers) {
  CallsByCallee calls;
  for (const auto& [caller, lines] : callers) {
    for (const LineOfCaller& line : lines) calls[line.callee].add(line.calls);
  }
  return calls;
}

CallRange calls_to(const CallsByCallee& calls, const std::string& callee) {
  const auto at = calls.find(callee);
  return at == calls.end() ? CallRange{} : at->second;
}

/// Pairs of lines that are compared, of all callers together: 4 MB and some hundredths of a second. A function of
/// ordinary code calls from some dozens of lines, generated code from hundreds, so a thousand functions of thirty lines
/// each fit.
constexpr std::size_t most_pairs_of_lines = 1'000'000;

/// Rows of a baseline's table that are looked at, again for each operator that is red: some hundredths of a second each
/// time. A job of five hundred functions that call from twenty lines each has 10 000. A longer table says nothing.
constexpr std::size_t most_rows = 50'000;

bool is_short(const FunctionCalls& table) {
  std::size_t rows = 0;
  for (const auto& [caller, calls] : table) rows += calls.size();
  return rows <= most_rows;
}

/// How well two lines fit: one with the same count better than one with another, but more pairs best of all.
int fit(const LineOfCaller& before, const LineOfCaller& now) {
  constexpr int same_callee = 1000;
  if (before.callee != now.callee) return 0;
  return exceeds(now.calls, before.calls) ? same_callee : same_callee + 1;
}

/// The lines of one caller on both sides.
struct CallerChange {
  std::vector<LineOfCaller> before;
  const std::vector<LineOfCaller>& now;
  bool risen = false;  ///< the caller itself is called more often, so that each of its lines runs more often
};

/// For each line of `now` whether it is new or runs more often by itself. Which line of `before` it is, the longest
/// common sequence of callees says: lines are inserted and removed, and the others keep their order. Takes what it
/// compares from `pairs_left`; where that is not enough, it says nothing.
std::vector<bool> run_more(const CallerChange& change, std::size_t& pairs_left) {
  const auto& [before, now, risen] = change;
  const std::size_t pairs = before.size() * now.size();
  if (pairs > pairs_left) return std::vector<bool>(now.size(), false);
  pairs_left -= pairs;
  const std::size_t columns = now.size() + 1;
  std::vector<int> best((before.size() + 1) * columns, 0);
  const auto at = [&best, columns](std::size_t i, std::size_t j) -> int& { return best[i * columns + j]; };
  for (std::size_t i = 1; i <= before.size(); ++i) {
    for (std::size_t j = 1; j <= now.size(); ++j) {
      const int pair = fit(before[i - 1], now[j - 1]);
      at(i, j) = std::max({at(i - 1, j), at(i, j - 1), pair == 0 ? 0 : at(i - 1, j - 1) + pair});
    }
  }
  std::vector<bool> more(now.size(), true);
  // Of equal lines the earlier one is taken as the old one.
  for (std::size_t i = before.size(), j = now.size(); i > 0 && j > 0;) {
    if (at(i, j) == at(i, j - 1)) {
      --j;
    } else if (at(i, j) == at(i - 1, j)) {
      --i;
    } else {
      more[j - 1] = !risen && exceeds(now[j - 1].calls, before[i - 1].calls);
      --i;
      --j;
    }
  }
  return more;
}

/// Debug information does not name the namespace of a function that was inlined, so the harness's own loop may stand at
/// the end of a stack. It does not change with the user's code.
bool is_in_harness(const SourceFrame& frame) { return frame.file.find("harness/measure/") != std::string::npos; }

}  // namespace

CallHistory::CallHistory(const Baseline* baseline, const ObservedWork& work) : work_(work) {
  const bool comparable = baseline != nullptr && !baseline->function_calls.empty() && work.steps > 0 &&
                          baseline->functions_from == name_of(work.frames_from) && is_short(baseline->function_calls);
  const std::size_t steps = comparable ? counted_steps(baseline->exact) : 0;
  if (steps == 0) return;
  const auto calls = calls_from_lines(work);
  const LinesOfCallers before = lines_before(*baseline, static_cast<double>(steps));
  const LinesOfCallers now = lines_now(calls, static_cast<double>(work.steps));
  const CallsByCallee all_before = calls_by_callee(before);
  for (const auto& [callee, unused] : all_before) known_.insert(callee);
  for (const auto& [callee, number] : calls_by_callee(now)) {
    if (exceeds(number, calls_to(all_before, callee))) risen_.insert(callee);
  }
  std::size_t pairs_left = most_pairs_of_lines;
  auto one = calls.begin();  // in the order of `now`
  for (const auto& [caller, lines] : now) {
    const auto old = before.find(caller);
    const CallerChange change{old == before.end() ? std::vector<LineOfCaller>{} : old->second, lines,
                              risen_.contains(caller)};
    const CallsByCallee was = calls_by_callee(change.before);
    const CallsByCallee is = calls_by_callee(lines);
    const std::vector<bool> more = run_more(change, pairs_left);
    for (std::size_t i = 0; i < lines.size(); ++i, ++one) {
      const std::string& callee = lines[i].callee;
      // A function that did not run before may have another name only: its calls say nothing.
      const bool ran = known_.contains(callee) && risen_.contains(callee);
      if (ran && more[i] && exceeds(calls_to(is, callee), calls_to(was, callee)))
        new_calls_.insert({one->caller.function, one->caller.file, one->caller.line, callee});
    }
  }
}

bool CallHistory::is_new_call(const SourceFrame& caller, const std::string& callee) const {
  return new_calls_.contains({caller.function, caller.file, caller.line, callee});
}

bool CallHistory::has_new_call(const SourceFrame& line) const {
  const auto first = new_calls_.lower_bound({line.function, line.file, line.line, ""});
  return first != new_calls_.end() && std::get<0>(*first) == line.function && std::get<1>(*first) == line.file &&
         std::get<2>(*first) == line.line;
}

NamedFrame CallHistory::frame_to_name(const OperatorSite& site) const {
  if (!site.place || *site.place >= work_.places.size() || work_.places[*site.place].frames.empty()) return {};
  const std::vector<SourceFrame>& frames = work_.places[*site.place].frames;
  const NamedFrame innermost{&frames.front(), has_new_call(frames.front())};
  if (!known_.contains(frames.front().function)) return innermost;
  // A function that is new, or runs operators for the first time: what it calls is new. If it only has another name,
  // what it calls is called as often as before.
  for (std::size_t i = frames.size() - 1; i > 0; --i) {
    if (frames[i].function.empty() || is_in_harness(frames[i]) || known_.contains(frames[i].function)) continue;
    std::size_t callee = i - 1;
    while (!known_.contains(frames[callee].function)) --callee;  // the innermost is known
    if (risen_.contains(frames[callee].function)) return {&frames[i], true};
    break;
  }
  for (std::size_t i = frames.size() - 1; i > 0; --i) {
    if (!is_in_harness(frames[i]) && is_new_call(frames[i], frames[i - 1].function)) return {&frames[i], true};
  }
  return innermost;
}

}  // namespace stepgate
