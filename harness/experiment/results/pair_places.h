// Which node measured a pair that lies in the output folder.
#pragma once

#include <filesystem>
#include <string>

#include "core/record/measured_pair.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Host, CPUs and GPUs of the node, as it handed the pair back to the folder of the plan
/// (experiment/nodes/plan/plan_folder.h): `plan` where it is known, else `ab-nodes` in the output folder, or the folder
/// around it where `merge` wrote it. "" where one machine measured the pair, or the folder of the plan is not there.
/// Files of an older plan do not count: they hold other processes.
std::string place_of_pair(const Project& project, const std::filesystem::path& plan, const std::string& case_name,
                          const MeasuredPair& pair);

}  // namespace stepgate
