// Counters read before, during and after a replicate. They decide whether a replicate is discarded, before anything
// reads its timings.
#pragma once

#include <map>
#include <string>

#include "core/record/evidence_key.h"

namespace stepgate {

/// A key is in `values`, or in `absent` with the reason why this machine does not provide it. A key that was not read
/// is in neither.
struct Evidence {
  std::map<EvidenceKey, double> values;
  std::map<EvidenceKey, std::string> absent;
};

/// Evidence key -> the highest value of a clean replicate.
using TaintLimits = std::map<EvidenceKey, double>;

}  // namespace stepgate
