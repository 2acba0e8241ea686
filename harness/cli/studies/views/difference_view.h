// The difference of two builds as `stepgate profile CASE --base-build DIR` shows it.
#pragma once

#include "cli/options/groups/documents.h"
#include "experiment/studies/profiled/profile_difference.h"

namespace stepgate {

/// Observes both builds and prints the table, or difference.json with --json; the exit status.
int show_difference(const Project& head, const ProfileDifferenceOptions& asked, const Caller& caller,
                    const StudyOutput& output);

}  // namespace stepgate
