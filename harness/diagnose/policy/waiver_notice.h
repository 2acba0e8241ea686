// Which waivers of the policy are in effect for this case, and what does each excuse?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// One warning "waiver" for each waiver that has not ended and whose metric was judged: what it excuses, or that it
/// excuses nothing any more. Whoever reads a green must see that a regression is behind it.
std::vector<Finding> name_waivers(const JudgedComparison& input);

}  // namespace stepgate
