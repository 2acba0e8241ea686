// --schedule: which steps of a profile its trace holds.
#pragma once

#include <string>

namespace stepgate {

/// Throws Error(usage) for a text that is neither "none" nor a schedule, and for one that traces too many steps.
void need_known_schedule(const std::string& schedule);

}  // namespace stepgate
