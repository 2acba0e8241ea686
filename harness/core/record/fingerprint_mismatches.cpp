#include "core/record/fingerprint_mismatches.h"

#include "core/record/fact_kind.h"
#include "core/record/fact_table.h"

namespace stepgate {
namespace {

void compare(const std::string& name, const Fingerprint& expected, const Fingerprint& found,
             std::vector<FingerprintMismatch>& result) {
  FingerprintMismatch one{name, fact_value(expected, name), fact_value(found, name)};
  if (!same_fact(name, one.expected, one.found)) result.push_back(std::move(one));
}

/// Facts that only `found` has: those that mean something where they are missing, or all of them.
std::vector<FingerprintMismatch> compared(const Fingerprint& expected, const Fingerprint& found, bool all) {
  std::vector<FingerprintMismatch> result;
  for (const auto& [name, value] : expected) compare(name, expected, found, result);
  for (const auto& [name, value] : found) {
    if (expected.contains(name)) continue;
    if (all || !fact_value(expected, name).empty()) compare(name, expected, found, result);
  }
  return by_kind(std::move(result));
}

}  // namespace

std::vector<FingerprintMismatch> mismatches(const Fingerprint& expected, const Fingerprint& found) {
  return compared(expected, found, false);
}

std::vector<FingerprintMismatch> differences(const Fingerprint& expected, const Fingerprint& found) {
  return compared(expected, found, true);
}

}  // namespace stepgate
