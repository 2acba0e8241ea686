// What every session of a history needs, whether stepgate measured it or somebody imports it.
#pragma once

#include <string>
#include <vector>

#include "core/stored/history.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// The class becomes a folder of the history. Throws Error(usage) for a name that cannot be one.
void refuse_history_class(const std::string& name);

/// Time of the commit, its place on its line of commits and its parents, where the current folder is a checkout that
/// knows it. A shallow clone does not know the place: a notice says so, and it is left out.
void add_commit_facts(HistorySession& session, const Observer& observer);

/// Stores the facts in the session and returns their digest.
std::string add_history_key(const Fingerprint& key, HistorySession& session);

/// One value of a metric for each process. Values that are not finite give none: they belong to a training that
/// diverges, and the gate says so.
void add_history_value(const std::string& metric, const std::vector<double>& values, HistoryHalf& half);

/// The first line that git prints for these arguments in the current folder, "" where it cannot tell.
std::string git_line(std::vector<std::string> arguments);

}  // namespace stepgate
