// Verdicts, findings and backgrounds inside verdict.json. Internal to json/ (mentions nlohmann).
#pragma once

#include <vector>

#include "core/verdict/metric_background.h"
#include "core/verdict/verdict.h"
#include "json/text/reader.h"

namespace stepgate {

/// Adds case, status, reason, detail and metrics to `value`, an object.
void add_verdict(Json& value, const CaseVerdict& verdict);
CaseVerdict verdict_at(Reader& reader);

Json value_of(const Finding& finding);
Finding finding_at(Reader reader);

Json value_of(const std::vector<MetricBackground>& backgrounds);
MetricBackground background_at(Reader reader);

}  // namespace stepgate
