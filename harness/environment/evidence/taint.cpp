#include "environment/evidence/taint.h"

#include <fmt/format.h>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

/// Without a default limit nothing is known about who caused it: the reason says what was counted.
std::string_view explanation_of(const EvidenceRow& row) { return row.limit ? row.limit->reason : row.meaning; }

}  // namespace

TaintLimits default_taint_limits() {
  TaintLimits limits;
  for (const EvidenceRow& row : evidence_rows) {
    if (row.limit) limits.emplace(row.key, row.limit->value);
  }
  return limits;
}

TaintLimits taint_limits_with(const TaintLimits& limits) {
  TaintLimits merged = limits;
  merged.merge(default_taint_limits());  // keeps what is there
  return merged;
}

std::vector<std::string> taint_reasons(const Evidence& evidence, const TaintLimits& limits) {
  std::vector<std::string> reasons;
  for (const auto& [key, limit] : limits) {
    const auto found = evidence.values.find(key);
    if (found == evidence.values.end() || found->second <= limit) continue;
    reasons.push_back(fmt::format("{} {} above {}: {}", name_of(key), figure_text(found->second), figure_text(limit),
                                  explanation_of(row_of(key))));
  }
  return reasons;
}

}  // namespace stepgate
