// The verdicts in an output folder: written whole or not at all, and read back.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"
#include "experiment/results/limit_review.h"

namespace stepgate {

/// A report around outcomes, worst first: commit, time, runner class. If the project requires a GPU, a skipped case has
/// failed.
RunReport report_of(const Project& project, std::vector<Outcome> outcomes);

/// Tells the observer, who adds other formats, then writes verdict.json, which belongs to the suite run that the
/// project is in.
void write_report(const Caller& caller, const Project& project, const std::filesystem::path& folder, RunReport report);

/// The report of all cases of a comparison of builds, in the folder `ab` of the output folder. That of the suite stays.
void write_comparison(const Caller& caller, const Project& project, const RunReport& report);

/// The files of that name below the output folder, one per case and kind of result.
std::vector<std::filesystem::path> result_files(const Project& project, const std::vector<ManifestCase>& cases,
                                                const std::string& name);

/// The stored outcomes of these cases that count (stored_results.h).
std::vector<Outcome> stored_outcomes(const Project& project, const std::vector<ManifestCase>& cases);

/// The report of the stored outcomes of the selected cases that count (stored_results.h), worst first; notices name the
/// rest. Its expected cases are the selected ones; of an emulated GPU, where no case is named, those of them of which a
/// result was begun in the output folder, and all where none was. A case is missing if no outcome of it counts or if a
/// run has not ended. The report of all cases is written to the output folder as well. Without a base build it says of
/// the limits what the results say. Throws Error(usage) if nothing is selected.
JudgedRun stored_report(const Project& project, const Selection& selection, const Caller& caller,
                        const LimitBase& base = {});

/// The commit that the stored results are of: their report must not name the commit of the checkout. If they are of
/// different commits, "" and a notice.
std::string one_commit(const Caller& caller, const std::set<std::string>& commits, std::vector<Notice>& kept);

}  // namespace stepgate
