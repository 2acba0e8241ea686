#include "judge/reduce/pairs/reduce_pairs.h"

#include <algorithm>
#include <cmath>

#include "core/leading_time.h"
#include "judge/reduce/pairs/matched_steps.h"
#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

bool both_are_clean(const MeasuredPair& pair) {
  return case_values(pair.base).clean_timed > 0 && case_values(pair.head).clean_timed > 0;
}

constexpr const char* step_time = "step_time_ns";

/// The two step times of a pair: the geometric mean of the processes' own, and the ratio of the matched steps.
void match_steps(const MeasuredPair& measured, Pair& pair) {
  const RunRecord* base = last_clean_record(measured.base, Group::timed);
  const RunRecord* head = last_clean_record(measured.head, Group::timed);
  if (base == nullptr || head == nullptr) return;
  const auto log = matched_step_log(*base, *head);
  const double middle = std::sqrt(pair.base * pair.head);
  if (!log || !(middle > 0)) return;
  pair.base = middle * std::exp(-*log / 2);
  pair.head = middle * std::exp(*log / 2);
}

void note_lost(const CaseValues& base, const CaseValues& head, std::map<std::string, std::string>& lost) {
  for (const auto& [metric, values] : base.timed) {
    if (values.empty() || head.timed.contains(metric)) continue;
    const auto reason = head.absent.find(metric);
    lost.emplace(metric, reason == head.absent.end() ? "no process measured it" : reason->second);
  }
}

/// Latencies of an open loop that one side has and the other has not, because requests came too fast for it.
void note_overload(const CaseValues& base, const CaseValues& head, std::map<std::string, OverloadedSides>& overloaded) {
  for (const auto& [metric, values] : base.timed) {
    if (head.queue_problem.empty() || !is_open_latency(metric) || head.timed.contains(metric)) continue;
    OverloadedSides& found = overloaded[metric];
    ++found.head;
    found.head_grew += head.queue_grew ? 1 : 0;
    found.why = head.queue_problem;
  }
  for (const auto& [metric, values] : head.timed) {
    const bool lacks = !base.queue_problem.empty() && is_open_latency(metric) && !base.timed.contains(metric);
    if (lacks) ++overloaded[metric].base;
  }
}

}  // namespace

PairedValues paired_values(std::span<const MeasuredPair> pairs) {
  PairedValues result;
  std::set<std::string> of_head;
  for (const MeasuredPair& pair : pairs) {
    const CaseValues base = case_values(pair.base);
    const CaseValues head = case_values(pair.head);
    if (base.set_aside + head.set_aside > 0) {
      ++result.set_aside_pairs;
      continue;
    }
    if (base.clean_timed == 0 || head.clean_timed == 0) {
      ++result.tainted_pairs;
      result.late_generator_pairs += base.late_generators + head.late_generators > 0 ? 1 : 0;
      for (const CaseValues* side : {&base, &head}) {
        if (!side->why_tainted.empty()) result.why_tainted = side->why_tainted;
        if (!side->why_generator_late.empty()) result.why_generator_late = side->why_generator_late;
      }
      continue;
    }
    note_lost(base, head, result.lost);
    note_overload(base, head, result.overloaded);
    for (const auto& [metric, values] : head.timed) of_head.insert(metric);
    for (const auto& [metric, values] : base.timed) {
      const auto other = head.timed.find(metric);
      if (other == head.timed.end() || values.empty() || other->second.empty()) continue;
      Pair& added = result.timed[metric].emplace_back(Pair{values.back(), other->second.back(), pair.head_first});
      if (metric == step_time) match_steps(pair, added);
    }
  }
  std::erase_if(result.lost, [&](const auto& entry) { return of_head.contains(entry.first); });
  return result;
}

ControlResult control_result(std::span<const MeasuredPair> pairs) {
  ControlResult result;
  if (!pairs.empty()) result.case_name = pairs.front().base.case_name;
  PairedValues values = paired_values(pairs);
  result.metric = leading_time_of(values.timed);
  if (const auto found = values.timed.find(result.metric); found != values.timed.end()) result.pairs = found->second;
  return result;
}

std::int64_t clean_pairs(std::span<const MeasuredPair> pairs) {
  return std::count_if(pairs.begin(), pairs.end(), both_are_clean);
}

}  // namespace stepgate
