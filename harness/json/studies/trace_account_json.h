// The account of a foreign trace, for programs: `stepgate profile --trace FILE --json`.
#pragma once

#include <string>

#include "core/study/trace_account.h"

namespace stepgate {

/// The text follows schemas/trace_account.schema.json. A value that the trace does not hold has no key.
std::string to_text(const TraceAccount& account);

}  // namespace stepgate
