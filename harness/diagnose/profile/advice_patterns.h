// Advice on patterns of costly work, each with where it holds.
#pragma once

#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/advice_input.h"

namespace stepgate {

/// One piece for each pattern that the observed steps show (diagnose/patterns/pattern.h).
std::vector<Advice> pattern_advice(const AdviceInput& input);

}  // namespace stepgate
