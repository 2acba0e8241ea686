// What calls cost, as text: equal on the terminal, in Markdown and on a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/study/profile.h"

namespace stepgate {

/// One place whose calls ran twice.
struct CallCostLine {
  std::string place;     ///< "char_lm.cpp:95 CharLm::loss"; of a whole function its name
  std::string calls;     ///< of one step
  std::string observed;  ///< "12 %": what the observer saw there
  std::string effect;    ///< "+12 % [+11, +14]": the step while they run twice
  Proof proof = Proof::undecided;
};

/// In the profile's order; empty where no place has an effect.
std::vector<CallCostLine> call_cost_lines(const Profile& profile);

/// "char_lm.cpp:88: it calls nothing that may run twice": the places without an effect.
std::vector<std::string> no_call_cost_texts(const Profile& profile);

/// Below the table.
inline constexpr std::string_view call_cost_meaning =
    "The step became so much longer when all operators called from there ran twice. Leaving them out wins between what "
    "was observed and this, and a cheaper form at most that";

}  // namespace stepgate
