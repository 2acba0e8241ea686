// How fast can an operator be on this machine, and what sets that limit?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record/observed_work.h"
#include "core/record/profile_run.h"

namespace stepgate {

/// Times of all calls of a site together (Williams, Waterman, Patterson, "Roofline", Communications of the ACM 52
/// (2009), with a staircase of bandwidths and the cost of a call).
struct OperatorRoof {
  double compute_ns = 0;    ///< FLOPs / peak of its dtype; 0 where that is not known
  double bandwidth_ns = 0;  ///< bytes / rate of the smallest level that holds what one call touches
  double floor_ns = 0;      ///< calls * the cheapest call

  bool below_ridge() const { return bandwidth_ns > compute_ns; }
  double work_ns() const { return below_ridge() ? bandwidth_ns : compute_ns; }
  double roof_ns() const { return work_ns() + floor_ns; }
};

/// Rate of the smallest level that holds the working set; beyond the largest, the rate of the largest. One rate of
/// memory for all would call operators that live in a cache faster than possible. 0 without levels.
double bandwidth_for(double working_set_bytes, const std::vector<BandwidthLevel>& ascending);

OperatorRoof roof_of(const OperatorSite& site, const MachinePeaks& peaks);

/// False where no process measured this machine (--prove off): then no operator has a roof.
bool are_known(const MachinePeaks& peaks);

/// What the processes reached at best.
MachinePeaks best_peaks(std::span<const ProfileRun* const> runs);

}  // namespace stepgate
