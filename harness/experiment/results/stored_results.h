// What lies in the result folders of the cases (result_folders.h), and which of it counts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct StoredResults {
  std::vector<Outcome> counted;
  std::set<std::string> commits;     ///< commits of the results that count
  std::string newest_utc;            ///< when the newest of them was judged; "" if there is none
  std::vector<LimitReview> limits;   ///< what the results that count say of the limits of their tree
  std::set<std::string> unfinished;  ///< cases of which a run began and has not ended
  std::vector<Notice> notices;       ///< notices about results that do not count: "previous, of COMMIT", and why
};

/// A verdict counts where its run ended, in this suite run (suite_number.h), and the files that it rests on are still
/// the same (result_inputs.h). Throws Error where a verdict cannot be read.
StoredResults read_results(const Project& project, const std::vector<ManifestCase>& cases);

}  // namespace stepgate
