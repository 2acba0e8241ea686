// The valid ranges of a policy. The formulas of judge/ rely on them.
#pragma once

#include <string>
#include <string_view>

#include "core/stored/policy.h"

namespace stepgate {

/// Throws Error(usage) naming the first key outside its range.
void check_policy(const Policy& policy);

/// A waiver ends at most a year after `today` ("2026-11-21"): an exception that nobody looks at again is a looser
/// limit. Throws Error(usage) naming the first one that ends later. `where` is the file.
void check_waiver_ends(const Policy& policy, std::string_view today, const std::string& where);

/// True for "YYYY-MM-DD" with digits: such dates compare as text.
bool is_date(std::string_view text);

}  // namespace stepgate
