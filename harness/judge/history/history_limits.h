// Distances between changes of a history, and the creep that is reported.
#pragma once

#include <cstddef>

namespace stepgate {

/// A change within so many points of one that was reported is not reported again, and an acknowledgement holds for a
/// change that later analyses move by so many points.
inline constexpr std::size_t history_quiet_points = 5;
/// A change of the reference case within so many points of a change belongs to it.
inline constexpr std::size_t history_reference_points = 2;
/// Relative creep that is reported. With 0.01, five steps of 0.8 % are noticed at a sum of 2.4 %, with 0.02 only at 3.2
/// %; chance makes a creep of an unchanged series rarely enough at 0.01 (docs/trend_quality.md, "Creep").
inline constexpr double history_creep_margin = 0.01;

}  // namespace stepgate
