// How much of a change each boundary of the step takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

struct BoundaryShare {
  std::string boundary;
  double change = 0;  ///< now minus before
};

/// Changes that are equal differ by far less: each is the difference of two sums, divided by the number of steps.
inline constexpr double share_rounding = 1e-6;

/// The names of the step's boundaries in its order, then those that only the other side has.
std::vector<std::string> boundary_names(const JudgedComparison& input);

/// The metric of a boundary's time: "forward_ns", "boundary_ns[discriminator]".
std::string boundary_time_metric(const std::string& boundary);

/// An exact metric per step, boundary by boundary, the largest change first; boundaries without a change are left out.
/// Empty where no baseline holds work.
std::vector<BoundaryShare> changed_shares(const JudgedComparison& input, const std::string& metric);

/// Each boundary's peak memory in the order of the step, changed or not, where both sides have it.
std::vector<BoundaryShare> peak_changes(const JudgedComparison& input);

/// The change of one boundary; 0 where it is not in the list.
double share_of(const std::vector<BoundaryShare>& shares, const std::string& boundary);

}  // namespace stepgate
