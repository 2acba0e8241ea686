// The commands that a report offers for copying, with the flags of this call.
#pragma once

#include <string>

#include "cli/options.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Quotes an argument for the shell where it needs it, so that the command can be copied as it is.
std::string shell_word(const std::string& word);

CommandTexts command_texts(const Options& options, const Project& project);

}  // namespace stepgate
