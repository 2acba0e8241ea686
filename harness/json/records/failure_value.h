// A replicate's failure inside measurements and verdicts. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/measurement.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const ReplicateFailure& failure);
ReplicateFailure failure_at(Reader reader);

}  // namespace stepgate
