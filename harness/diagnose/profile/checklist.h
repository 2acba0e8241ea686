// The questions that people put to a training step before they change it, answered with evidence.
#pragma once

#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/step/profile_input.h"

namespace stepgate {

/// One entry per row of the table (docs/design/profile_analysis.md, "Checklist"): 18 points, 5 smoke tests, 7 mistakes
/// of measuring. `profile` has everything but its checklist. A question without a recorded answer is unknown, with the
/// reason; it is never ok.
std::vector<ChecklistEntry> checklist_for(const ProfileInput& input, const Profile& profile);

}  // namespace stepgate
