// What a recovery of the host could not restore, as notices.
#pragma once

#include <vector>

#include "environment/guard/recovery.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// Settings that somebody else changed meanwhile: left alone. The last one says where they are written down.
std::vector<Notice> conflict_notices(const Recovery& recovery);

/// Settings that could not be restored, and what to do next.
std::vector<Notice> failure_notices(const Recovery& recovery);

}  // namespace stepgate
