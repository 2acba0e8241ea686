// Before a red stands: more processes for bytes, pairs with a base build for times.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/record/measurement.h"
#include "core/verdict/verdict.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

/// How many more exact processes a verdict on `measurement` asks for: a red in bytes rests on six, since the plan's two
/// may agree by chance. 0 where no gating metric of tier bytes is regressed.
std::int64_t processes_to_confirm(const CaseVerdict& verdict, const Measurement& measurement);

/// `measurement` with as many more exact processes, also in its file. Interrupted: as it was.
Measurement with_more_processes(const CasePlan& plan, const Caller& caller, const Measurement& measurement,
                                std::int64_t more);

/// Whether pairs with a base build could still change the result from stored sessions: every timed verdict that is not
/// green. If there is a base build, stored sessions may pass a case or call for pairs, but they never fail it
/// (docs/design/verdicts.md, "Confirmation by pairs").
bool pairs_could_decide(const CaseVerdict& verdict);

/// The gating times that stored sessions call worse, whether or not these sessions may decide. Pairs must decide each
/// of them, a following one too. One that never withholds a verdict only gets the pairs that may call it regressed
/// (judge/verdict/following_metrics.h).
std::set<std::string> worse_than_stored(const CaseVerdict& verdict);

}  // namespace stepgate
