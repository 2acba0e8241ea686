// Advice on patterns of costly work, each with where it holds.
#pragma once

#include <string_view>
#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/advice_input.h"

namespace stepgate {

/// One piece for each pattern that the observed steps show (diagnose/patterns/pattern.h), and one for the line that
/// calls most small operators. In a boundary a mend wins at most what the boundary takes: in the loader the time that
/// the step waits for it, and nothing where the loader is refuted. At one place it wins at most what the calls of that
/// place were proven to cost.
std::vector<Advice> pattern_advice(const AdviceInput& input);

/// Share of the step that a boundary takes and that a mend in it can win; 1 where it was not timed.
double share_to_win(const Profile& profile, std::string_view boundary);

}  // namespace stepgate
