// The requests of an inference case inside run records. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const ClosedLoop& loop);
ClosedLoop closed_loop_at(Reader reader);

Json value_of(const OpenLoop& loop);
/// Refuses a rate that is not positive, and as many latencies as arrivals are needed.
OpenLoop open_loop_at(Reader reader);

Json value_of(const InferenceFacts& facts);
InferenceFacts inference_facts_at(Reader reader);

}  // namespace stepgate
