// Adds a session of the same runner to a stored baseline.
#pragma once

#include "core/stored/baseline.h"

namespace stepgate {

/// Sessions stay sorted by time, and only the newest max_sessions stay. Throws Error(baseline) if `key` differs from
/// the baseline's, listing the facts, or if the baseline has the session already (same unix_s and commit).
Baseline append_session(Baseline baseline, const Session& session, const Fingerprint& key);

}  // namespace stepgate
