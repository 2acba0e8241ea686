// The page of verdicts: gate, ab, compare and check. Ten seconds suffice for its first lines; everything that stands
// behind them follows.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/case_evidence.h"
#include "core/verdict/run_report.h"
#include "report/history/case_histories.h"
#include "report/page/page_chart.h"
#include "report/page/page_model.h"
#include "report/page/source_link.h"

namespace stepgate {

struct GatePageInput {
  const RunReport& report;
  std::vector<CaseEvidence> evidence = {};  ///< of the outcomes for which something is stored
  CaseHistories histories = {};             ///< of metrics that did not pass; empty where no history is given
  std::string repository_url = {};          ///< where the code is published, "" if unknown
};

/// Beyond so many cases with something to say each is folded: a page of 300 stays quick to open.
inline constexpr std::size_t open_cases = 20;

Page gate_page(const GatePageInput& input);

/// nullptr: nothing is stored for it.
const CaseEvidence* evidence_of(const std::vector<CaseEvidence>& all, const Outcome& outcome);
const MetricHistory* history_of(const CaseHistories& all, const std::string& case_name, const std::string& metric);

}  // namespace stepgate
