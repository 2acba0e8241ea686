// Facts that all cases of one run in pairs share.
#pragma once

#include <cstdint>

#include "experiment/pairs/pair_options.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

/// Settled before the first process. Borrows the run and the options.
struct PairRun {
  const Run& run;  ///< run of the head build
  const PairOptions& options;
  Project base;
  std::uint64_t order_seed = 0;  ///< seed of the order of sides; the seed of data and weights stays the same
  bool any_order = false;        ///< an interrupted run of a case goes on whatever its order was drawn from
  bool over_nodes = false;       ///< measured on other machines than this one
  bool decides_bytes = true;     ///< false: the exact half is held against stored files
  bool resuming = false;         ///< an interrupted run over several cases goes on: the cases that it finished stay
};

/// The base build's project: its manifest and commit, the rest as in `head`. Throws Error(usage) naming --base-build
/// where there is no manifest, or where the builds are of different or of debug types.
Project read_base_project(const Project& head, const PairOptions& options);

Notice new_case_notice(const ManifestCase& entry);

}  // namespace stepgate
