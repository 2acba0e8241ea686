#include "experiment/studies/profiled/observed_while_counted.h"

#include <utility>

namespace stepgate {

Measurement observed_while_counted(const Measurement& exact) {
  Measurement observed = exact;
  for (Replicate& replicate : observed.replicates) {
    replicate.group = Group::profile;
    if (!replicate.record || !replicate.record->counts || !replicate.record->counts->observed) continue;
    RunRecord& record = *replicate.record;
    record.group = Group::profile;
    record.profile.emplace().observed = std::move(record.counts->observed);
  }
  return observed;
}

}  // namespace stepgate
