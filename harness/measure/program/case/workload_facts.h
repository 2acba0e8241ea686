// Facts about what a process ran and how it was built, as far as they need no LibTorch. Every program that writes run
// records takes them from here, so that a scripted device is keyed as a real one is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/plan.h"
#include "core/record/fingerprint.h"
#include "core/record/run_record.h"

namespace stepgate {

struct WorkloadFacts {
  Group group = Group::timed;
  StepCounts steps;
  std::string device;  ///< where it ran: "cpu" or "cuda"
  std::string dtype;
  std::uint64_t seed = 0;
  std::string data_digest;
  std::map<std::string, std::string> params;
  std::string version;                                         ///< version of the workload
  std::optional<std::int64_t> compile_seconds = std::nullopt;  ///< as WholeStepWorkload says
};

/// device, dtype, compiler, build_type, data_digest, case_params, workload_version, seed; and `exact_steps` in group
/// exact, `timed_steps` in the others: a half is keyed by the counts that decide it. And compile_seconds, where it is
/// known, which is part of no key.
Fingerprint fingerprint_of(const WorkloadFacts& facts);

}  // namespace stepgate
