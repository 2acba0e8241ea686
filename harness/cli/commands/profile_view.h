// A profile as `stepgate profile` and `stepgate report --profile` show it.
#pragma once

#include "cli/options/options.h"
#include "core/study/profile.h"
#include "experiment/plan/project.h"
#include "report/profile/operator_table.h"

namespace stepgate {

/// --sort, --by, --rows.
OperatorView operator_view(const Options& options);

/// The page, or profile.json with --json, or the lists with --checklist or --smoke.
void print_profile(const Options& options, const Profile& profile);

/// Prints the stored profiles of the selected cases again. Throws Error(usage) where there is none.
int show_stored_profiles(const Options& options, const Project& project);

}  // namespace stepgate
