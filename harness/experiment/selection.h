// Which cases of the manifest a command works on.
#pragma once

#include <string>
#include <vector>

#include "core/stored/manifest.h"

namespace stepgate {

/// Cases named in `names` (exact, or all when empty) that match one of `globs` (all when empty), in manifest order.
/// Throws Error(usage) for a name that is not in the manifest, with the nearest one, and when nothing is left.
std::vector<ManifestCase> select_cases(const Manifest& manifest, const std::vector<std::string>& names,
                                       const std::vector<std::string>& globs);

bool has_case(const Manifest& manifest, const std::string& name);

}  // namespace stepgate
