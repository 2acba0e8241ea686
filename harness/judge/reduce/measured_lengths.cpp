#include "judge/reduce/measured_lengths.h"

#include <vector>

#include "judge/reduce/find_pass.h"
#include "judge/reduce/reduce_case.h"

namespace stepgate {

std::optional<BatchLengths> measured_lengths(const Measurement& measurement) {
  const RunRecord* exact = last_clean_record(measurement, Group::exact);
  if (exact != nullptr && exact->counts) return batch_lengths(exact->counts->per_step);
  const RunRecord* timed = last_clean_record(measurement, Group::timed);
  const TimedPass* pass = timed == nullptr ? nullptr : find_pass(*timed, Pass::e2e);
  if (pass == nullptr) return std::nullopt;
  std::vector<BatchAmounts> batches;
  for (const StepSample& step : pass->steps)
    batches.push_back({step.samples, step.padded_tokens, step.effective_tokens});
  return batch_lengths(batches);
}

}  // namespace stepgate
