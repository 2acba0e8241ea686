// The section of one case on the page of verdicts: what was measured, why, what was in memory, what else differs, and
// what to do.
#pragma once

#include "report/page/gate_case.h"
#include "report/page/page_model.h"

namespace stepgate {

PageSection case_section(const GatePageInput& input, const GateCase& one);

}  // namespace stepgate
