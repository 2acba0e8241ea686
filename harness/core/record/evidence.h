// Counters read before, while and after a replicate runs. They decide whether a replicate is discarded, before any
// timing is looked at.
#pragma once

#include <map>
#include <string>

#include "core/record/evidence_key.h"

namespace stepgate {

/// A key is in `values`, or in `absent` with the reason why this machine does not show it. What was not looked at is in
/// neither.
struct Evidence {
  std::map<EvidenceKey, double> values;
  std::map<EvidenceKey, std::string> absent;
};

/// Evidence key -> the highest value of a clean replicate.
using TaintLimits = std::map<EvidenceKey, double>;

}  // namespace stepgate
