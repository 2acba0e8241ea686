// The inputs that every plan for nodes takes from the project that makes it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/study/shard_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Versions, folders and class; neither cases nor how they are measured.
ShardPlan plan_of_project(const Project& project);

/// The manifest, and policies of the suites at hand; a folder that is empty still says that the default limits hold.
void copy_plan_inputs(const Project& project, const std::vector<ManifestCase>& cases,
                      const std::filesystem::path& folder);

}  // namespace stepgate
