// A suite's policy as a document (schemas/policy.schema.json): perftests/<suite>/policy.json.
#pragma once

#include <string>
#include <string_view>

#include "core/stored/policy.h"

namespace stepgate {

/// All keys, including defaults: the effective policy.
std::string to_text(const Policy& policy);

/// Every key except "schema" may be missing and then has the default of core/stored/policy.h; margins of one metric
/// default to the suite's. Throws Error(usage) naming `source`, the key and the allowed range for unknown keys, unknown
/// metrics, values out of range, entries of "varying" that match no metric, and waivers without owner, reason and a
/// real end date. An expired waiver is valid here.
Policy policy_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
