// The commands that a report offers for copying, with the flags of this call.
#pragma once

#include <string>

#include "cli/options/groups/repeated_options.h"
#include "core/text/shell_quoted.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// How this program is called from any folder: "stepgate" where that is on PATH, else its absolute path.
std::string own_command();

CommandTexts command_texts(const RepeatedOptions& options, const Project& project);

}  // namespace stepgate
