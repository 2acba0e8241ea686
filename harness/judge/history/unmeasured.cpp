#include "judge/history/unmeasured.h"

#include <algorithm>

#include "core/text/commit_text.h"
#include "judge/history/history_limits.h"

namespace stepgate {
namespace {

/// How many commits usually lie between two: their median, at least 1.
std::size_t usual_gap(const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> gaps;
  for (std::size_t i = 1; i < numbers.size(); ++i) gaps.push_back(numbers[i] - numbers[i - 1]);
  if (gaps.empty()) return 1;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return std::max<std::size_t>(1, *middle);  // a commit with two keys has two points
}

}  // namespace

bool is_stale(const std::vector<std::size_t>& numbers, std::size_t missed) {
  return missed >= history_stale_sessions * usual_gap(numbers);
}

bool is_acknowledged_gone(const SeriesAcknowledgements& acknowledged, const std::string& text,
                          const std::string& last_commit) {
  const auto mine = acknowledged.find(text);
  return mine != acknowledged.end() &&
         std::any_of(mine->second.begin(), mine->second.end(), [&](const Acknowledgement* one) {
           return one->kind == AcknowledgedKind::gone && names_commit(one->commit, last_commit);
         });
}

}  // namespace stepgate
