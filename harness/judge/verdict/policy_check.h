// The valid ranges of a policy. The formulas of judge/ rely on them.
#pragma once

#include <string_view>

#include "core/stored/policy.h"

namespace stepgate {

/// Throws Error(usage) naming the first key outside its range.
void check_policy(const Policy& policy);

/// True for "YYYY-MM-DD" with digits: such dates compare as text.
bool is_date(std::string_view text);

}  // namespace stepgate
