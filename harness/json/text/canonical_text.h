// The one way in which stepgate writes JSON, so that equal values are equal bytes and a diff shows what changed:
// keys in the order in which they were set, two spaces, LF, objects one key a line, arrays of plain values on one line.
// Internal to json/ (mentions nlohmann).
#pragma once

#include <string>

#include "json/text/document.h"

namespace stepgate {

/// Ends with a line end. Bytes that are not UTF-8 become U+FFFD (output of a crashed program may hold any).
/// Throws Error(origin.type.error_kind) naming the key of a number that is not finite: nlohmann would write null.
std::string canonical_text(const Json& document, const Origin& origin);

}  // namespace stepgate
