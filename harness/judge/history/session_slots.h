// Sessions that share the state of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/stored/history.h"

namespace stepgate {

/// Sessions of a class that begin within it of the first one of a slot share the state of the machine, as they do for a
/// stored baseline (judge/interval/session_clusters.h).
inline constexpr std::int64_t history_slot_s = 30 * 60;

/// For each session the number of its slot. Slots of two classes are apart.
std::vector<std::size_t> session_slots(const std::vector<HistorySession>& sessions);

}  // namespace stepgate
