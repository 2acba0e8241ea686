// The evidence in the output folder behind the verdicts of a report, for the report page.
#pragma once

#include <filesystem>
#include <vector>

#include "core/verdict/case_evidence.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// One for each outcome whose case the project knows: the margins of its policy, the pairs where pairs decided it
/// (by node, where several measured them), and the memory ledgers of both sides. What is missing or damaged there is
/// absent here: a page without a drawing is better than none. Outcomes of `compare` have margins only, because their
/// files lie anywhere. `plan` is the folder of the plan where `merge` judged it, "" elsewhere.
std::vector<CaseEvidence> stored_evidence(const Project& project, const RunReport& report,
                                          const std::filesystem::path& plan = {});

}  // namespace stepgate
