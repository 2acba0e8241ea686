// What the page of verdicts is made from.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/case_evidence.h"
#include "core/verdict/metric_history.h"
#include "core/verdict/run_report.h"

namespace stepgate {

struct GatePageInput {
  const RunReport& report;
  std::vector<CaseEvidence> evidence = {};  ///< evidence on the outcomes for which something is stored
  CaseHistories histories = {};             ///< histories of metrics that did not pass; empty if no history is given
  std::string repository_url = {};          ///< where the code is published, "" if unknown
};

/// nullptr: nothing is stored for it.
const CaseEvidence* evidence_of(const std::vector<CaseEvidence>& all, const Outcome& outcome);
const MetricHistory* history_of(const CaseHistories& all, const std::string& case_name, const std::string& metric);

}  // namespace stepgate
