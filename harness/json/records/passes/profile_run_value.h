// What a process of group profile found, inside a run record. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/profile_run.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const MachinePeaks& peaks);
MachinePeaks machine_peaks_at(Reader reader);

Json value_of(const ProfileRun& run);
/// Also checks that each replay names an observed site.
ProfileRun profile_run_at(Reader reader);

}  // namespace stepgate
