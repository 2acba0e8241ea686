// The requests of an inference case: which of its passes can run, and why what they would have found is absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/pass.h"
#include "core/plan.h"
#include "core/record/run_record.h"
#include "measure/passes/timed_passes.h"

namespace stepgate {

struct RequestsAsked {
  const std::map<std::string, std::string>& params;
  std::uint64_t seed = 0;
  std::int64_t ranks = 1;
};

/// Throws what run_request_pass() would throw of the passes that the step counts ask for, before anything is timed.
/// Whether a loop of the program's own answers requests is known after its first steps.
void require_asked_requests(const TimedRun& run, const RequestsAsked& asked);

/// Runs pass requests or open_requests and keeps what it found, or why there is nothing. Throws Error(usage) where the
/// case trains, where several processes answer together, and where an open loop has no rate or no closed loop before
/// it.
void run_request_pass(Pass pass, TimedRun& run, const RequestsAsked& asked, RunRecord& found);

/// Keeps the facts of the pass in which more answers held a graph, or more modules were in train mode.
void keep_inference(const std::optional<InferenceFacts>& seen, RunRecord& found);

/// Metric -> why the requests of this record tell nothing of it. Nothing for a record of a case that trains, and for
/// one of another group than timed.
std::map<std::string, std::string> absent_requests(const RunRecord& record);

}  // namespace stepgate
