// A replicate's failure inside measurements and verdicts. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/measurement.h"
#include "json/reader.h"

namespace stepgate {

Json value_of(const ReplicateFailure& failure);
ReplicateFailure failure_at(Reader reader);

}  // namespace stepgate
