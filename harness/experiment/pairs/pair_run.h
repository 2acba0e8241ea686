// What the cases of one run in pairs share.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/verdict/paired_values.h"
#include "experiment/pairs/pair_options.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

struct PairRun {
  const Run& run;  ///< of the head build
  const PairOptions& options;
  Project base;
  std::uint64_t order_seed = 0;      ///< of the order of sides; not the seed of data and weights, which stays the same
  bool any_order = false;            ///< an interrupted run of a case goes on whatever its order was drawn from
  bool over_nodes = false;           ///< measured on other machines than this one
  bool decides_bytes = true;         ///< false: the exact half is held against stored files
  std::set<std::string> asked = {};  ///< metrics of the next case that its pre-check calls worse
  bool resuming = false;             ///< an interrupted run over several cases goes on: the cases that it finished stay
  std::optional<ControlResult> control = {};  ///< the A/A control, once its case was measured
  std::vector<Notice> notices = {};           ///< what matters for how the verdicts are read
};

/// The base build's project: its manifest and commit, the rest as in `head`. Throws Error(usage) naming --base-build
/// where there is no manifest, or where the builds are of different or of debug types.
Project read_base_project(const Project& head, const PairOptions& options);

Notice new_case_notice(const ManifestCase& entry);

/// Whether the base build lacks the case; a notice says so.
bool is_new_case(PairRun& pairs, const ManifestCase& entry);

}  // namespace stepgate
