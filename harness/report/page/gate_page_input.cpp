#include "report/page/gate_page_input.h"

namespace stepgate {

const CaseEvidence* evidence_of(const std::vector<CaseEvidence>& all, const Outcome& outcome) {
  for (const CaseEvidence& one : all) {
    if (one.case_name == outcome.verdict.case_name && one.kind == outcome.kind) return &one;
  }
  return nullptr;
}

const MetricHistory* history_of(const CaseHistories& all, const std::string& case_name, const std::string& metric) {
  const auto found = all.find(case_name);
  if (found == all.end()) return nullptr;
  const auto history = found->second.find(metric);
  return history == found->second.end() ? nullptr : &history->second;
}

}  // namespace stepgate
