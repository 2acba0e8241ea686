// Writes places in the user's code: the same text in every report.
#pragma once

#include <string>
#include <vector>

#include "core/code_place.h"

namespace stepgate {

/// "language/char_lm.cpp:61 in CharLm::forward"; "CharLm::forward" where only the function is known,
/// "language/char_lm.cpp:61" where only the line is; "" for a frame that says nothing.
std::string source_text(const SourceFrame& frame);

/// "language/char_lm.cpp:61 in CharLm::forward, language/char_lm.cpp:70 in CharLm::loss"; "" for none.
std::string source_list_text(const std::vector<SourceFrame>& frames);

}  // namespace stepgate
