// Why `baseline accept` finds nothing to accept.
#pragma once

#include <string>
#include <vector>

#include "experiment/plan/project.h"

namespace stepgate {

/// What the stored verdicts below the output folder say about the cases (empty: all): values that vary, a process that
/// failed, or a pass. One line per case; "" where no case was measured.
std::string why_nothing_is_pending(const Project& project, const std::vector<std::string>& cases);

}  // namespace stepgate
