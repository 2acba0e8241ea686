#include "core/record/clean_records.h"

namespace stepgate {

bool is_clean(const Replicate& replicate) {
  return replicate.record && !replicate.failure && replicate.taint_reasons.empty() && replicate.set_aside.empty();
}

std::vector<const RunRecord*> clean_records(const Measurement& measurement, Group group) {
  std::vector<const RunRecord*> records;
  for (const Replicate& replicate : measurement.replicates) {
    if (is_clean(replicate) && replicate.group == group) records.push_back(&*replicate.record);
  }
  return records;
}

const ProfileRun* clean_profile_run(const Replicate& replicate) {
  const bool counts = replicate.group == Group::profile && is_clean(replicate) && replicate.record->profile;
  return counts ? &*replicate.record->profile : nullptr;
}

std::vector<const RunRecord*> counted_records(const Measurement& measurement, Group group) {
  std::vector<const RunRecord*> records = clean_records(measurement, group);
  if (!records.empty()) return records;
  for (const Replicate& replicate : measurement.replicates) {
    const bool ran = replicate.record && !replicate.failure && replicate.set_aside.empty();
    if (ran && replicate.group == group) records.push_back(&*replicate.record);
  }
  return records;
}

}  // namespace stepgate
