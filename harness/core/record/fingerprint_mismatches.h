// The facts in which two fingerprints differ.
#pragma once

#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// Every key of `expected` whose value in `found` differs, by the rule of core/record/fact_table.h, or is missing. Keys
/// only in `found` do not matter.
std::vector<FingerprintMismatch> mismatches(const Fingerprint& expected, const Fingerprint& found);

/// The same, and every key that only `found` has: for two keys that must be equal.
std::vector<FingerprintMismatch> differences(const Fingerprint& expected, const Fingerprint& found);

inline bool same_key(const Fingerprint& a, const Fingerprint& b) { return differences(a, b).empty(); }

}  // namespace stepgate
