// Evidence as a JSON value. Files have the names of the keys; internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/evidence.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const Evidence& evidence);

/// A key that this stepgate does not know is left out: a newer one wrote it.
Evidence evidence_at(Reader reader);

Json value_of(const TaintLimits& limits);

/// Each value is read by `read`. A name that is no evidence is an error that suggests the nearest one: people write
/// limits by hand.
TaintLimits taint_limits_at(const Reader& reader, double (*read)(const Reader&));

}  // namespace stepgate
