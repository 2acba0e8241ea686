#include "judge/paired_values.h"

#include <algorithm>

#include "judge/case_values.h"

namespace stepgate {
namespace {

bool is_clean(const MeasuredPair& pair) {
  return case_values(pair.base).clean_timed > 0 && case_values(pair.head).clean_timed > 0;
}

}  // namespace

PairedValues paired_values(std::span<const MeasuredPair> pairs) {
  PairedValues result;
  for (const MeasuredPair& pair : pairs) {
    const CaseValues base = case_values(pair.base);
    const CaseValues head = case_values(pair.head);
    if (base.clean_timed == 0 || head.clean_timed == 0) {
      ++result.tainted_pairs;
      continue;
    }
    for (const auto& [metric, values] : base.timed) {
      const auto other = head.timed.find(metric);
      if (other == head.timed.end() || values.empty() || other->second.empty()) continue;
      result.timed[metric].push_back({values.back(), other->second.back(), pair.head_first});
    }
  }
  return result;
}

ControlResult control_result(std::span<const MeasuredPair> pairs, const std::string& metric) {
  ControlResult result;
  if (!pairs.empty()) result.case_name = pairs.front().base.case_name;
  result.metric = metric;
  PairedValues values = paired_values(pairs);
  if (const auto found = values.timed.find(metric); found != values.timed.end()) result.pairs = found->second;
  return result;
}

std::int64_t clean_pairs(std::span<const MeasuredPair> pairs) {
  return std::count_if(pairs.begin(), pairs.end(), is_clean);
}

}  // namespace stepgate
