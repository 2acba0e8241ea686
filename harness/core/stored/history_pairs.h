// How the key of a history tells times that were measured in pairs from those of processes that ran alone.
#pragma once

#include <string_view>

namespace stepgate {

/// Fact of the key of a timed half, absent where processes ran alone. In a pair the other build's process runs just
/// before, or in turns, and that moves a step time: so such times have levels of their own.
inline constexpr std::string_view pair_fact = "pairs";
inline constexpr std::string_view pairs_of_processes = "processes";  ///< one process after the other
inline constexpr std::string_view pairs_of_windows = "windows";      ///< both alive, windows in turns

}  // namespace stepgate
