// The history of a project: adds results to it, reads and judges it, acknowledges changes. Nothing is measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"
#include "experiment/history/imported_session.h"
#include "experiment/plan/caller.h"

namespace stepgate {

struct AddedSession {
  std::filesystem::path file;
  bool already_there = false;
  std::size_t cases = 0;
  std::size_t values = 0;
};

struct ResultsToAdd {
  std::vector<std::filesystem::path> results;
  std::optional<std::int64_t> sequence = {};  ///< a number that rises with each commit
};

/// Each of the results is a folder of results or a measurement.json; their measurements of one class and commit become
/// one session. If a folder holds no result of run or gate, the head side of its A/B runs is taken; these times get a
/// key of their own (core/stored/history_pairs.h). Losses are not stored. A notice names the cases that gave no value.
/// Throws Error(usage) for a path that does not exist, results without a measurement, of several commits or classes, of
/// a tree with uncommitted changes, of an A/B run that is not finished, one process of a pair, and a class that cannot
/// be a folder; Error(measure) for a damaged measurement.
AddedSession add_to_history(const std::filesystem::path& folder, const ResultsToAdd& to_add, const Observer& observer);

/// Files of Google Benchmark, nvbench or pyperf of one commit become one session. Each process gives the median of its
/// repetitions: a file is one, of pyperf each run. An imported session is not a baseline and not evidence for a gate,
/// and its epoch is apart from measured ones. Notices name what is left out. Throws Error(usage) for no file, a file
/// without repetitions or with a time that is not finite, contents that come twice, no commit or several, a case on two
/// machines, and a class that cannot be a folder; Error(measure) for a file that is not such a document.
AddedSession import_to_history(const std::filesystem::path& folder, const BenchmarkImport& import,
                               const Observer& observer);

/// Which series are shown.
struct SeriesFilter {
  std::string case_name = {};  ///< "": all
  std::string metric = {};     ///< "": those that decide verdicts
  std::string since = {};      ///< "2026-11-01": sessions from that day on; "": all
};

/// Judges the whole history, then keeps the series and points of the filter: levels do not depend on what is shown.
/// Throws Error(usage) for a name that the history lacks, with the nearest one, and for a text that is not a day.
HistoryReport read_history_report(const std::filesystem::path& folder, const SeriesFilter& filter);

/// Throws what read_history_report throws where the folder holds no history. Judges nothing.
void need_history(const std::filesystem::path& folder);

/// Accepts the new level of a series at a change, or at the end of a drift; or that a stale series, or with "@CLASS" a
/// stale class, is gone, at its last commit. The file says how large the finding is. `series` as text_of(SeriesName);
/// without "@CLASS" where only one class has it. Returns the file. Throws Error(usage) for an unknown series, a commit
/// at which the series has nothing to acknowledge (it lists the changes), and a reason that is empty.
std::filesystem::path acknowledge_change(const std::filesystem::path& folder, Acknowledgement acknowledged);

}  // namespace stepgate
