// Whether a process that waits for its window is idle, as alternating windows need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/record/measured_pair.h"

namespace stepgate {

/// The most CPU time of an idle process by the time that it waits. One thread that works has about 1, and the reading
/// itself is not counted. Less than this much in the other side's window moves a time by less than the smallest margin
/// of a policy.
inline constexpr double most_waiting_cpu = 0.01;

/// Why alternating windows do not hold, one clause that names the side: "head used 98 % of a CPU while base had its
/// window". "" where every process that waited was idle, or none waited. Reads evidence and no times. `head_name`: what
/// the pair has in place of the head.
std::string busy_while_waiting(const MeasuredPair& pair, std::string_view head_name = "head");

/// Sets both sides aside where they were measured in alternating windows. False where they were not, or are already.
bool set_aside_alternating(const std::string& why, MeasuredPair& pair);

/// The same for pairs that were measured elsewhere: where one process of them was busy while it waited, all pairs in
/// alternating windows are set aside.
void set_aside_where_busy(std::vector<MeasuredPair>& pairs);

bool is_set_aside(const MeasuredPair& pair);

}  // namespace stepgate
