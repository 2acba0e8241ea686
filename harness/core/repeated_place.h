// Places of the program whose operator calls run a second time, so that the step shows what they cost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// An operator belongs to the place if one of these calls is on its stack; an operator of backward, if its forward
/// operator does.
struct RepeatedPlace {
  std::string name;                    ///< "char_lm.cpp:95", or of a whole function "CharLm::loss_of"
  std::vector<std::uint64_t> offsets;  ///< calls in the program's own file, as in CodePlace::offsets

  bool operator==(const RepeatedPlace&) const = default;
};

/// VariantBlock::variant of the other blocks of such a process: the step as it is, and the step whose calls pass
/// through the repeater, which repeats none of them. The place's name is that of its own blocks.
inline constexpr std::string_view unchanged_calls = "unchanged";
inline constexpr std::string_view passed_calls = "passed";

/// Keys of ProfileRun::absent: of all places, and of one.
inline constexpr std::string_view repeated_calls = "repeated-calls";
inline std::string repeated_calls_of(std::string_view place) {
  return std::string(repeated_calls) + " of " + std::string(place);
}

}  // namespace stepgate
