// Distances between findings of a history, and how much of a series must be measured.
#pragma once

#include <cstddef>

namespace stepgate {

/// A change within so many points of an alert is not reported beside it, and an acknowledgement holds for a change that
/// later analyses move by so many points.
inline constexpr std::size_t history_quiet_points = 5;
/// A finding has outgrown its acknowledgement where it is half as large again, and larger by the ignore margin. Own
/// choice: an estimate of one change moves by a third, and two changes of one size make twice as much.
inline constexpr double history_outgrown = 1.5;
/// A change of level needs 4 points on either side (stats/trend/trend_limits.h); a counter needs a value before.
inline constexpr std::size_t history_fewest_times = 8;
inline constexpr std::size_t history_fewest_counts = 2;
/// A series is stale where the newest sessions of its class lack it: at least 3 of them, and three times as many as
/// usually lie between its points. Own choice: one failed night is common, and some cases run weekly.
inline constexpr std::size_t history_stale_sessions = 3;
/// The key varies by itself where so many of the newest points have so many keys. Own choice: a driver and a library
/// may both be upgraded within three weeks of nightly sessions.
inline constexpr std::size_t history_key_points = 20;
inline constexpr std::size_t history_key_epochs = 4;

}  // namespace stepgate
