// Evidence as a JSON value. Files use the names of the keys. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/evidence.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const Evidence& evidence);

/// Ignores unknown keys, because a newer stepgate may have written them.
Evidence evidence_at(Reader reader);

Json value_of(const TaintLimits& limits);

/// Reads each value with `read`. An unknown name is an error that suggests the nearest one, because people write limits
/// by hand.
TaintLimits taint_limits_at(const Reader& reader, double (*read)(const Reader&));

}  // namespace stepgate
