// Which operators called which, and whose work is part of another's?
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// A site names its caller, not its caller's site. For each site the sites that may have called it: those with the name
/// of its parent, in the same boundary, at the same place, both for forward or not.
std::vector<std::vector<std::size_t>> possible_callers(const ObservedWork& work);

/// How to count a site, so that time lies on the operator that has the FLOPs and bytes.
struct SiteRole {
  /// All its calls do the work themselves, and all that they called is `part_of` them: its time is total_ns.
  bool with_parts = false;
  /// The site that does the work of which this one is a part: it has no row of its own.
  std::optional<std::size_t> part_of = std::nullopt;
};

/// One for each site. A part has no leaf calls, and all that may have called it are parts or sites of leaf calls alone.
/// If that is not certain, both keep their self_ns, so that no time is lost or counted twice.
std::vector<SiteRole> site_roles(const ObservedWork& work);

}  // namespace stepgate
