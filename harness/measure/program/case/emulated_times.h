// What a process on an emulated GPU must not record: how long something took there.
#pragma once

#include "core/record/run_record.h"

namespace stepgate {

/// Takes the times of the step out of a record of group exact: those of operators, and the counts and series of time,
/// which become absent with the reason. CPU time of the process stays, since it says whether something disturbed it.
void drop_emulated_times(RunRecord& record);

}  // namespace stepgate
