// What a comparison of two builds is about: its cases, the plan of each, and its verdict from what was measured.
#pragma once

#include <cstdint>
#include <vector>

#include "experiment/ab_options.h"
#include "experiment/pairs/pair_measurement.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Throws Error(usage) without a base build and for debug builds.
void refuse_without_builds(const Project& head, const PairOptions& options);

struct AbCases {
  std::vector<ManifestCase> cases;  ///< in the order of the manifest
  std::vector<Notice> notices;      ///< the observer was told them
};

/// The selected cases that both builds have. Throws Error(usage) where nothing is left to compare.
AbCases choose_ab_cases(const Project& head, const Project& base, const AbOptions& options, const Caller& caller);

/// The case that may need the control first; it rotates with the seed of the order.
std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, std::uint64_t order_seed);

/// The exact half of the reference is the base build's own, so only the runner's file is read.
CasePlan plan_ab_case(const Run& run, const ManifestCase& entry);

/// One verdict on both halves.
Outcome judge_ab_case(const Run& run, const PairMeasurement& measured);

}  // namespace stepgate
