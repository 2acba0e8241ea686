#include "experiment/results/stale_results.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace stepgate {
namespace {

/// "all" measures both halves of a case; pairs ("ab") and comparisons are results of their own.
std::set<std::string> halves_of(const StoredVerdict& verdict) {
  if (verdict.outcome.group == "all") return {"exact", "timed"};
  return {verdict.outcome.group};
}

bool is_later(const StoredVerdict& a, const StoredVerdict& b) {
  return std::tie(a.utc, a.written) > std::tie(b.utc, b.written);
}

bool is_same_case(const StoredVerdict& a, const StoredVerdict& b) {
  return a.outcome.verdict.case_name == b.outcome.verdict.case_name;
}

bool is_replaced(const StoredVerdict& verdict, const std::vector<StoredVerdict>& all) {
  std::set<std::string> left = halves_of(verdict);
  for (const StoredVerdict& other : all) {
    if (!is_same_case(other, verdict) || !is_later(other, verdict)) continue;
    for (const std::string& half : halves_of(other)) left.erase(half);
  }
  return left.empty();
}

/// Where a commit is not known, nothing says that it is another one.
bool is_of_other_commit(const StoredVerdict& verdict, const std::vector<StoredVerdict>& all) {
  const StoredVerdict* newest = &verdict;
  for (const StoredVerdict& other : all) {
    if (is_same_case(other, verdict) && is_later(other, *newest)) newest = &other;
  }
  return !verdict.commit.empty() && !newest->commit.empty() && verdict.commit != newest->commit;
}

}  // namespace

FreshResults without_stale(std::vector<StoredVerdict> stored) {
  std::vector<bool> replaced, other;
  for (const StoredVerdict& verdict : stored) {
    replaced.push_back(is_replaced(verdict, stored));
    other.push_back(is_of_other_commit(verdict, stored));
  }
  FreshResults results;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (replaced[i]) continue;
    (other[i] ? results.of_other_commits : results.fresh).push_back(std::move(stored[i]));
  }
  return results;
}

}  // namespace stepgate
