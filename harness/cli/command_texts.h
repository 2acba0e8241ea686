// The commands that a report offers for copying, with the flags of this call.
#pragma once

#include "cli/options.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

CommandTexts command_texts(const Options& options, const Project& project);

}  // namespace stepgate
