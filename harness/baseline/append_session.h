// One more session of the same runner for a stored baseline.
#pragma once

#include "core/stored/baseline.h"

namespace stepgate {

/// Sessions stay sorted by time, the newest max_sessions are kept. Throws Error(baseline) where `key` differs from the
/// baseline's, listing the facts, or where the session (same unix_s and commit) is in it already.
Baseline append_session(Baseline baseline, const Session& session, const Fingerprint& key);

}  // namespace stepgate
