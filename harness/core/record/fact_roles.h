// What follows if two keys of scope runner differ.
#pragma once

#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// The facts in which two keys of scope runner differ, by consequence.
struct RunnerKeyChanges {
  std::vector<FingerprintMismatch> mismatches;  ///< there is no baseline
  std::vector<FingerprintMismatch> of_times;    ///< stored times decide nothing
};

/// Every key of `stored` whose value in `found` differs or is missing. On a CPU the driver of a GPU does not count.
RunnerKeyChanges runner_key_changes(const Fingerprint& stored, const Fingerprint& found);

}  // namespace stepgate
