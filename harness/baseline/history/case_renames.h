// A renamed case keeps its history.
#pragma once

#include <string>
#include <vector>

#include "core/stored/history.h"

namespace stepgate {

/// Gives every case, and every series that somebody acknowledged, its name of today. `source` is the file of the
/// renames, for messages. Throws Error(usage) for a name that has two new names, a circle, and a session that holds
/// both the old and the new name.
void apply_renames(const std::vector<HistoryRename>& renames, const std::string& source, History& history);

}  // namespace stepgate
