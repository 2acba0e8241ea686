// Which sites of an operator are new, where a baseline knows only how often a boundary called it?
#pragma once

#include <cstddef>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "diagnose/patterns/pattern.h"

namespace stepgate {

/// The matches whose calls may explain the rise of their operator. A site with more calls than the rise was there
/// before. If several sites fit and the rise is too small for all of them, those at lines where another operator is
/// certainly new stand for them. If there are no such lines, a match counts only if each of the sites is one: then the
/// pattern is new, whichever site it was. If functions are known on both sides, a site in a function that called the
/// operator as often before is not new.
std::vector<PatternMatch> new_matches(const JudgedComparison& input, const ObservedWork& work,
                                      const std::vector<PatternMatch>& matches);

}  // namespace stepgate
