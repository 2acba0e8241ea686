// How the guarded cases of a build differ from those of the base.
#pragma once

#include <vector>

#include "core/stored/manifest.h"
#include "core/verdict/limit_change.h"

namespace stepgate {

/// A case that is gone, new, or declared otherwise.
std::vector<LimitChange> case_changes(const std::vector<ManifestCase>& base, const std::vector<ManifestCase>& head);

}  // namespace stepgate
