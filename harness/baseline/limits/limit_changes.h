// Every limit that differs between a tree and the base that it left: policies, cases and baselines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/stored/baseline.h"
#include "core/stored/manifest.h"
#include "core/stored/policy.h"
#include "core/verdict/limit_change.h"

namespace stepgate {

/// The limits of one side.
struct TreeLimits {
  std::map<std::string, Policy> policies = {};  ///< by suite
  std::vector<ManifestCase> cases = {};
  /// By file below the folder of baselines ("portable/a/b/c.json"). A file that is the same on both sides may be left
  /// out of both.
  std::map<std::string, Baseline> baselines = {};
};

/// Loosened ones first. A change needs consent where it loosens something and the base's policy of its suite asks for
/// it. A suite of which one side has no policy is not compared: its cases are new or gone.
std::vector<LimitChange> limit_changes(const TreeLimits& base, const TreeLimits& head);

}  // namespace stepgate
