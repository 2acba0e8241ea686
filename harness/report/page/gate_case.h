// One case of the page of verdicts, and the facts about it that several parts of the page need.
#pragma once

#include <string>

#include "core/verdict/run_report.h"
#include "report/page/gate_page_input.h"
#include "report/page/source_link.h"

namespace stepgate {

struct GateCase {
  const Outcome& outcome;
  std::string id;        ///< id of its section
  bool detailed = true;  ///< with its memory, evidence and all metrics; false for later cases of a page of many
  bool folded = false;
};

/// The gating metric that decides the case: the first of its status; nullptr where no metric decides.
const MetricVerdict* deciding_metric(const CaseVerdict& verdict);

/// The first cause that a finding names; nullptr: none.
const Finding* first_cause(const Outcome& outcome);

PublishedCode published_code(const GatePageInput& input);

/// Nothing is left to say about it: it passed or was skipped.
bool passed_or_skipped(const Outcome& outcome);

}  // namespace stepgate
