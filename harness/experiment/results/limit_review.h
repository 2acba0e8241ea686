// Reads the limits of a tree and of its base, and compares them (baseline/limits).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/limit_change.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// The base that a tree left, and who allows what it loosens.
struct LimitBase {
  std::filesystem::path build = {};  ///< build folder of the base; empty: none
  std::string allowed_by = {};       ///< "": nobody
};

/// The limits of these cases; everything where they are all that the manifest has. What cannot be read is in `unread`.
LimitReview review_limits(const Project& head, const Project& base, const std::vector<ManifestCase>& cases);

/// The same for the build folder of the base; a folder that holds no build is in `unread`.
LimitReview review_limits(const Project& head, const LimitBase& base, const std::vector<ManifestCase>& cases);

/// What of a review holds for one case: its suite's policy, its declaration, its baselines.
LimitReview of_case(const LimitReview& review, const ManifestCase& entry);

/// One review of several, each change once. Somebody allows it only if everyone that has something to allow names him.
/// Absent for none.
std::optional<LimitReview> joined(const std::vector<LimitReview>& reviews);

}  // namespace stepgate
