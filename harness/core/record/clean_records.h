// The processes of a measurement that count.
#pragma once

#include <vector>

#include "core/record/measurement.h"

namespace stepgate {

/// It left a record, did not fail, nothing disturbed it, and it was not set aside.
bool is_clean(const Replicate& replicate);

/// The records of the clean processes of that group, in their order. They live as long as the measurement.
std::vector<const RunRecord*> clean_records(const Measurement& measurement, Group group);

/// What a clean process of group profile recorded of its experiments; null for any other.
const ProfileRun* clean_profile_run(const Replicate& replicate);

/// As clean_records(); where none is clean, the records of those that were discarded for interference. What they
/// counted holds on a busy machine, what they timed does not.
std::vector<const RunRecord*> counted_records(const Measurement& measurement, Group group);

}  // namespace stepgate
