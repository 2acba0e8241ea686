#include "core/record/fingerprint.h"

namespace stepgate {

std::vector<FingerprintMismatch> mismatches(const Fingerprint& expected, const Fingerprint& found) {
  std::vector<FingerprintMismatch> result;
  for (const auto& [key, value] : expected) {
    const auto at = found.find(key);
    const std::string other = at == found.end() ? "" : at->second;
    if (other != value) result.push_back({key, value, other});
  }
  return result;
}

std::vector<FingerprintMismatch> differences(const Fingerprint& expected, const Fingerprint& found) {
  std::vector<FingerprintMismatch> result = mismatches(expected, found);
  for (const auto& [key, value] : found) {
    if (!expected.contains(key)) result.push_back({key, "", value});
  }
  return result;
}

}  // namespace stepgate
