// What a pass begins with as the launcher asked for it, and what the program's own code makes of it.
#pragma once

#include "core/record/fingerprint.h"

namespace stepgate {

/// threads, as given; and of the calling thread affinity ("0-3,8") and priority ("nice -10"), as they are now. What the
/// kernel does not tell is missing.
Fingerprint pass_settings(int threads);

/// Adds each setting of `before` that is another one in `after`, with its value there. The first change of a setting
/// stays, because the next pass begins anew.
void note_changes(const Fingerprint& before, const Fingerprint& after, Fingerprint& changed);

}  // namespace stepgate
