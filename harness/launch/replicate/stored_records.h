// Each raw sample is kept in one file. A process leaves its run record beside the measurement; once the measurement is
// on disk with that record in it, the record's own file goes.
#pragma once

#include <filesystem>

#include "core/record/measurement.h"

namespace stepgate {

/// Removes from `folder` the record files of those replicates whose record `measurement` holds. Call it after the
/// measurement was written. Files of replicates without a usable record stay, and so do those of a run that was stopped
/// before its measurement was written. A file that cannot be removed stays too: nothing is wrong with having it twice.
void remove_stored_records(const std::filesystem::path& folder, const Measurement& measurement);

}  // namespace stepgate
