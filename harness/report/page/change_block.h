// How much slower one case became: dots of pairs, of nodes or of stored sessions against both margins.
#pragma once

#include "core/verdict/verdict.h"
#include "report/page/gate_case.h"
#include "report/page/page_model.h"

namespace stepgate {

/// The metric whose changes are drawn: the deciding one where it is timed, else the first timed one that gates;
/// nullptr: none.
const MetricVerdict* drawn_metric(const CaseVerdict& verdict);

/// Pairs where they decided, a row for each node that measured some; otherwise the stored sessions and the processes of
/// this run. Empty where there is nothing to draw.
PageBlock change_block(const GatePageInput& input, const GateCase& one);

}  // namespace stepgate
