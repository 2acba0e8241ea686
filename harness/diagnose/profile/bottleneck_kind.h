// What limits the step? Every kind gets its share and its word; the first that matches does not win.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/kind_input.h"

namespace stepgate {

struct KindVerdicts {
  std::vector<BottleneckVerdict> verdicts;    ///< by rank_of(proof), then worth most first
  std::map<std::string, std::string> absent;  ///< "bottleneck copy" -> why the kind cannot apply or shows nothing
};

/// One verdict per kind that applies here (docs/design/profile_analysis.md, "Words" and "Kinds"). A kind is proven by
/// an experiment only, and where an experiment acts on more than one resource the account must leave room for it.
KindVerdicts bottleneck_verdicts(const KindInput& input);

}  // namespace stepgate
