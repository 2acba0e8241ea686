// Decides whether a knob is worth setting for one case on one host, and the options that follow from all knobs.
#pragma once

#include <string>
#include <vector>

#include "core/study/ablation.h"

namespace stepgate {

struct AblationRules {
  double level = 0.95;    ///< level of each single interval: about one of twenty knobs without effect seems to have one
  double slower = 0.01;   ///< relative: a step that is slower by more is a cost
  double factor = 1.5;    ///< factor of spreads: a smaller effect, in either direction, does not matter
  int most_pairs = 1000;  ///< larger numbers of pairs are not reported
};

/// Pure. The unit is ln of the step time of one fresh process; ratio and shift with their intervals by
/// stats/spread_ratio.h. In this order:
///   use          the interval of the ratio lies below 1
///   avoid        the interval of the ratio lies above 1, or that of the shift lies above `slower`
///   indifferent  the interval of the ratio lies between 1/factor and factor
///   undecided    otherwise. With n pairs and the standard error se, a decision needs the smallest m with
///                t(m-1) se sqrt(n/m) < max(|ln ratio|, ln factor - |ln ratio|) if the ratio stays the same: four
///                times the pairs halve the interval.
/// A knob that is denied, unsupported or overridden is always undecided, because its pairs do not differ in it.
KnobEffect effect_of(const AblatedKnob& knob, const AblationRules& rules);

/// "--guard host --knobs governor,affinity": the knobs to use, and the knobs of process mode that are not to be
/// avoided, because they cost nothing; "--guard observe" if none is left; "" if the result equals process mode, the
/// default. Only measured knobs count.
std::string recommended_options(const std::vector<AblatedKnob>& knobs);

/// Both of the above for a whole ablation: sets `level`, each knob's `effect`, and `recommended`.
void decide_ablation(const AblationRules& rules, Ablation& ablation);

}  // namespace stepgate
