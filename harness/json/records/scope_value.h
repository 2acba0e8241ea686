// A metric's scope inside documents. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/metric.h"
#include "json/text/reader.h"

namespace stepgate {

Scope scope_at(const Reader& reader);

}  // namespace stepgate
