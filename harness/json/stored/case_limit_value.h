// Floors, targets and budgets of single cases inside a policy. Internal to json/ (mentions nlohmann).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/stored/absolute_limit.h"
#include "json/text/reader.h"

namespace stepgate {

/// Throws at the reader unless each entry names cases, a metric in whose direction such a limit makes sense, and a
/// value that `read_value` takes.
std::vector<CaseLimit> case_limits_at(const Reader& reader, AbsoluteLimitKind kind,
                                      const std::function<double(const Reader&)>& read_value);
Json value_of(const std::vector<CaseLimit>& limits, AbsoluteLimitKind kind);

/// Rate -> patterns of cases. Throws at the reader where a metric gates anyway, or is not a function of a time that
/// gates.
std::map<std::string, std::vector<std::string>> gating_rates_at(const Reader& reader);

/// How a budget on this metric, or a floor, is refused: "better when it grows". Throws at the reader.
void check_direction(const Reader& reader, AbsoluteLimitKind kind, const Metric& metric);

}  // namespace stepgate
