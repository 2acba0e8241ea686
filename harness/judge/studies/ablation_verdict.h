// Whether a knob is worth setting for one case on one host, and which options follow for all knobs.
#pragma once

#include <string>
#include <vector>

#include "core/study/ablation.h"

namespace stepgate {

struct AblationRules {
  double level = 0.95;    ///< of each interval by itself: of twenty idle knobs about one looks as if it did something
  double slower = 0.01;   ///< relative: a step surely slower by more is a cost
  double factor = 1.5;    ///< of spreads: an effect below it, either way, matters to nobody
  int most_pairs = 1000;  ///< more than these are not worth naming
};

/// Pure. The unit is ln of the step time of one fresh process; ratio and shift with their intervals by
/// stats/spread_ratio.h. In this order:
///   use          the interval of the ratio lies below 1
///   avoid        it lies above 1, or the interval of the shift lies above `slower`
///   indifferent  it lies between 1/factor and factor
///   undecided    anything else. With n pairs and the standard error se it takes the smallest m with
///                t(m-1) se sqrt(n/m) < max(|ln ratio|, ln factor - |ln ratio|), should the ratio stay what it is:
///                four times the pairs halve the interval.
/// A knob that is denied, unsupported or overridden is undecided whatever its pairs are: they do not differ in it.
KnobEffect effect_of(const AblatedKnob& knob, const AblationRules& rules);

/// "--guard host --knobs governor,affinity": the knobs to use, and those of process mode that are not to be avoided,
/// since they cost nothing; "--guard observe" where none is left; "" where that is what process mode, the default, sets
/// anyway. Only knobs that were measured count.
std::string recommended_options(const std::vector<AblatedKnob>& knobs);

/// Both of the above for the whole: sets `level`, each knob's `effect`, and `recommended`.
void decide_ablation(const AblationRules& rules, Ablation& ablation);

}  // namespace stepgate
