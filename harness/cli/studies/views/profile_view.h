// A profile as `stepgate profile` and `stepgate report --profile` show it.
#pragma once

#include "cli/options/groups/documents.h"
#include "cli/options/groups/profile_table.h"
#include "core/study/profile.h"

namespace stepgate {

/// The page, or profile.json with --json, or the lists with --checklist or --smoke.
void print_profile(const Profile& profile, const ProfileTable& table, const StudyOutput& output);

}  // namespace stepgate
