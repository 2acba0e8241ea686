// At which lines of the user's code does a step call an operator more often?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/code_place.h"
#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// The most lines that a reader looks at.
inline constexpr std::size_t most_sources = 3;

/// The lines that call this operator inside the boundary, most calls first, at most `most_sources`. If the baseline
/// knows the functions, only the lines of those that call it more often now; else all. Innermost frames of the user's
/// code; but where a function that calls it is itself called anew, the line of that call, which comes first. Empty if
/// the program was not observed or no place is known.
std::vector<SourceFrame> sources_of(const JudgedComparison& input, std::string_view boundary, std::string_view name);

/// Functions that called this operator more often before, the largest difference first. A baseline knows functions and
/// no lines.
std::vector<SourceFrame> sources_of_less(const JudgedComparison& input, std::string_view boundary,
                                         std::string_view name);

/// Adds those that are not in the list yet, up to `most_sources` in all.
void add_sources(const std::vector<SourceFrame>& more, std::vector<SourceFrame>& sources);

/// " at language/char_lm.cpp:61 in CharLm::forward"; "in CharLm::forward" where no line is known; several are joined by
/// "or", since a count that rose does not say which of them rose. "" for none.
std::string at_sources(const std::vector<SourceFrame>& sources);

}  // namespace stepgate
