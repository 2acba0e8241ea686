// Measurements of one run as a session of a history.
#pragma once

#include <filesystem>
#include <vector>

#include "core/stored/history.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// Reads every measurement of `results` (folders of results, or files). Throws as add_to_history() says.
HistorySession history_session_of(const std::vector<std::filesystem::path>& results, const Observer& observer);

}  // namespace stepgate
