// One case of an A/B run: its two builds, its plan, and the folder where its pairs are kept.
#pragma once

#include <filesystem>

#include "core/study/ab_plan.h"
#include "experiment/context.h"
#include "launch/measure_case.h"
#include "launch/staged_builds.h"

namespace stepgate {

struct AbCase {
  ManifestCase entry;  ///< of the head build
  StagedBuilds builds;
  AbPlan plan;
  LaunchRequest request;  ///< of one process; program, folder and groups are filled in for each
  std::filesystem::path folder;
  double budget_s = 0;  ///< 0: none; no pair is begun after this long
};

/// The context of the other build: its manifest and commit, the rest as in `head`. Throws Error(usage) naming
/// --base-build where there is no manifest, or where one of the builds is a debug build.
Context base_context(const Context& head);

/// The seed of the order of sides, logged in ab.json: --order-seed, else from the clock. Not the seed of data and
/// weights, which stays the same.
std::uint64_t order_seed(const Context& context);

struct AbOpening {
  bool control = false;   ///< the base build is measured against its byte copy along the way
  bool resuming = false;  ///< an interrupted run over several cases goes on: those that it had finished stay
};

/// Copies the programs, and takes over an interrupted run of the same two builds below <out>/<case>/ab, else clears
/// what lies there and writes a new plan. Throws Error(usage) where the base build has no such case.
AbCase open_ab_case(const Context& head, const Context& base, const ManifestCase& entry, const AbOpening& opening);

/// Marks the run as complete: the next one begins anew.
void close_ab_case(AbCase& ab);

}  // namespace stepgate
