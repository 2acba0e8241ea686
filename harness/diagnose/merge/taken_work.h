// Figures of work and bytes that rose with a cause: which of them it may take, and how they are told.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// The boundaries in which a metric rose.
std::vector<BoundaryShare> rises(std::vector<BoundaryShare> shares);

/// "bytes touched +121 KiB in forward, backward": a part keeps its amount and its boundaries, so that a second reason
/// for it does not go unseen.
std::string rise_text(const JudgedComparison& input, const std::string& metric);

/// Whether the operators that a boundary calls more often account for at least half of a rise of FLOPs, bytes touched
/// or bytes copied there, by what the observer saw them do; for casts, whether one of them casts. Views do nothing.
bool operators_cover(const JudgedComparison& input, const BoundaryShare& share, std::string_view metric);

/// Work and saved bytes by these metrics, where all of their rise lies in these boundaries.
struct TakenRises {
  std::initializer_list<std::string_view> metrics;
  std::initializer_list<std::string_view> boundaries;
};
void take_rises(const JudgedComparison& input, const TakenRises& taken, Fault& named, Faults& faults);

}  // namespace stepgate
