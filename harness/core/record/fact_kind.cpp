#include "core/record/fact_kind.h"

#include <algorithm>

namespace stepgate {
namespace {

bool is_known(const FingerprintMismatch& mismatch) { return !mismatch.expected.empty() && !mismatch.found.empty(); }

FactKind kind_of(const FingerprintMismatch& mismatch) {
  const FactRow* row = find_fact(mismatch.key);
  return row == nullptr ? FactKind::machine : row->kind;
}

}  // namespace

std::string fact_value(const Fingerprint& key, std::string_view name) {
  if (const auto at = key.find(std::string(name)); at != key.end()) return at->second;
  const FactRow* row = find_fact(name);
  return row == nullptr ? "" : std::string(row->if_missing);
}

std::vector<FingerprintMismatch> by_kind(std::vector<FingerprintMismatch> mismatches) {
  std::stable_sort(mismatches.begin(), mismatches.end(),
                   [](const auto& one, const auto& other) { return kind_of(one) < kind_of(other); });
  return mismatches;
}

std::vector<FingerprintMismatch> changed_settings(const std::vector<FingerprintMismatch>& mismatches) {
  const bool only_settings = std::all_of(mismatches.begin(), mismatches.end(), [](const auto& one) {
    return kind_of(one) == FactKind::program && is_known(one);
  });
  return only_settings ? mismatches : std::vector<FingerprintMismatch>{};
}

bool incompatible(const std::vector<FingerprintMismatch>& mismatches) {
  return !mismatches.empty() && changed_settings(mismatches).empty();
}

bool has_changed_tree(const std::vector<FingerprintMismatch>& mismatches) {
  return std::any_of(mismatches.begin(), mismatches.end(),
                     [](const auto& one) { return kind_of(one) != FactKind::machine && is_known(one); });
}

}  // namespace stepgate
