// The only writer of JSON in stepgate: equal values give equal bytes, and a diff shows what changed. Keys stay in the
// order in which they were set; two spaces, LF, one key per line, arrays of plain values on one line. Internal to json/
// (mentions nlohmann).
#pragma once

#include <string>

#include "json/text/document.h"

namespace stepgate {

/// Ends with a line end. Bytes that are not UTF-8 become U+FFFD (a crashed program may print any bytes).
/// Throws Error(origin.type.error_kind) naming the key of a number that is not finite: nlohmann would write null.
std::string canonical_text(const Json& document, const Origin& origin);

}  // namespace stepgate
