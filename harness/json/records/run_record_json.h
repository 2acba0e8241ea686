// The run record as a document (schemas/run_record.schema.json): what a perftest program writes and the launcher reads.
#pragma once

#include <string>
#include <string_view>

#include "core/record/run_record.h"

namespace stepgate {

/// Losses and gradient norms may be non-finite; any other non-finite number throws Error(measure).
std::string to_text(const RunRecord& record);

/// Ignores unknown keys, so that it can read the record of a newer perftest. Throws Error(measure) naming `source` (a
/// file name) and the key.
RunRecord run_record_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
