// The files of an output folder: written whole or not at all, read back by `report` and `check`.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/verdict/run_report.h"
#include "experiment/context.h"

namespace stepgate {

/// Creates the folder and proves that it can be written, before anything is measured: Error(usage) naming it and errno.
void prepare_result_folder(const std::filesystem::path& folder);

/// The files named on the command line, or every <out>/<case>/<tier>/measurement.json of the manifest's cases.
/// Throws Error(usage) where there is none.
std::vector<Measurement> read_measurements(const Context& context);

/// Writes <folder>/measurement.json, then removes the run records that it holds (launch/stored_records.h).
void write_measurement(const std::filesystem::path& folder, const Measurement& measurement);

/// A report around outcomes: commit, time, runner class. With --require-gpu a skipped case has failed.
RunReport report_of(const Context& context, std::vector<Outcome> outcomes);

/// verdict.json, junit.xml and summary.md.
void write_report(const std::filesystem::path& folder, const RunReport& report);

/// Marks the start of a suite run: verdicts written before it no longer count in read_outcomes().
void begin_suite(const Context& context);

/// Every outcome below the output folder since begin_suite(), worst first, and the commits that they are of.
struct StoredOutcomes {
  std::vector<Outcome> outcomes;
  std::set<std::string> commits;
};
StoredOutcomes read_outcomes(const Context& context);

/// The commit that stored results are of: a report must not lend them that of the checkout. "" and a word on stderr
/// where they are of different ones.
std::string one_commit(const std::set<std::string>& commits);

}  // namespace stepgate
