#include "json/records/failure_value.h"

namespace stepgate {

Json value_of(const ReplicateFailure& failure) {
  return {{"kind", name_of(failure.kind)}, {"message", failure.message}, {"output_tail", failure.output_tail}};
}

ReplicateFailure failure_at(Reader reader) {
  return {.kind = reader.at("kind").one_of(failure_kind_named,
                                           "crashed, timed_out, exited_nonzero, no_record, bad_record, wrong_case, "
                                           "not_started, interrupted, unavailable, too_few_gpus, gpu_too_small, "
                                           "program_changed_setting, infrastructure, needs_values"),
          .message = reader.at("message").text(),
          .output_tail = reader.at("output_tail").text()};
}

}  // namespace stepgate
