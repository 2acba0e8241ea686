// Which stored verdicts of a case a later measurement has replaced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// One outcome of a verdict.json.
struct StoredVerdict {
  Outcome outcome;
  std::string commit;
  std::string utc;                               ///< start of the measurement
  std::filesystem::file_time_type written = {};  ///< decides between two of the same second
};

struct FreshResults {
  std::vector<StoredVerdict> fresh;
  std::vector<StoredVerdict> of_other_commits;  ///< left out, and worth telling
};

/// A verdict is stale
///   where later ones of the same case hold all that it holds: "all" holds "exact" and "timed", and both together hold
///   an older "all";
///   where the newest verdict of the case is of another commit.
/// The order is kept.
FreshResults without_stale(std::vector<StoredVerdict> stored);

}  // namespace stepgate
