// Which cases of the manifest an experiment works on.
#pragma once

#include <string>
#include <vector>

#include "core/stored/manifest.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct Selection {
  std::vector<std::string> names = {};  ///< exact names; empty: all
  std::vector<std::string> globs = {};  ///< a case has to match one of them; empty: all match
};

/// Throws Error(usage) for a name that is not in the manifest, with the nearest one.
void refuse_unknown(const Manifest& manifest, const std::vector<std::string>& names);

/// The selected cases in manifest order. Throws Error(usage) for a name that is not in the manifest and when nothing is
/// left; a name that only begins those of cases gets the pattern that selects them.
std::vector<ManifestCase> select_cases(const Manifest& manifest, const Selection& selection);

/// The one case of that name. Throws Error(usage) for a name that is not in the manifest, with the nearest one.
ManifestCase case_named(const Manifest& manifest, const std::string& name);

bool has_case(const Manifest& manifest, const std::string& name);

struct MeasurableCases {
  std::vector<ManifestCase> cases;
  std::vector<Notice> notices;  ///< which of the selected have nothing of the half
};

/// The selected cases without those that have nothing of the half. A plain Google Benchmark program counts nothing: in
/// a suite it is left out with a notice, asked for alone it is an error. Throws Error(usage) if none is left.
MeasurableCases measurable_cases(const Manifest& manifest, const Selection& selection, TierChoice half);

/// The cases that a gate judges: of the timed half also without those that are declared TIERS exact, by the same rule.
MeasurableCases gated_cases(const Manifest& manifest, const Selection& selection, TierChoice half);

/// The half that a gate measures and judges if `asked` was asked for: for a case TIERS exact never the times.
TierChoice gated_half(TierChoice asked, const ManifestCase& entry);

}  // namespace stepgate
