#include "diagnose/memory/ledger_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace stepgate {

std::optional<KindChange> largest_rise(const std::optional<MemoryLedger>& before,
                                       const std::optional<MemoryLedger>& now) {
  if (!before || !now) return std::nullopt;
  std::map<std::string, std::int64_t> change = now->bytes;
  for (const auto& [kind, bytes] : before->bytes) change[kind] -= bytes;
  const auto most =
      std::max_element(change.begin(), change.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == change.end() || most->second <= 0) return std::nullopt;
  return KindChange{most->first, most->second};
}

std::string largest_kinds(const MemoryLedger& ledger) {
  constexpr std::size_t named = 3;
  std::vector<std::pair<std::string, std::int64_t>> kinds(ledger.bytes.begin(), ledger.bytes.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(named, kinds.size()) && ledger.peak_bytes > 0; ++i) {
    const double share = 100.0 * static_cast<double>(kinds[i].second) / static_cast<double>(ledger.peak_bytes);
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", kinds[i].first, share);
  }
  return text;
}

}  // namespace stepgate
