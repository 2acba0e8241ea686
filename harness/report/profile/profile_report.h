// A profile on a terminal: the four phases in order, advice, the checklist in one line, files. At most 120 columns.
#pragma once

#include <string>

#include "core/study/profile.h"
#include "report/profile/operator_lines.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Phases without results are left out; `profile.stopped` says why. Times are of one step.
std::string render_profile(const Profile& profile, const OperatorView& view, const ConsoleStyle& style);

/// Every question of the lists with its answer and evidence. `list` is "smoke" for the five smoke tests alone, "" for
/// all.
std::string render_checklist(const Profile& profile, const std::string& list, const ConsoleStyle& style);

}  // namespace stepgate
