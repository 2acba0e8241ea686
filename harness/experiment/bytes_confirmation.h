// A red in bytes rests on more processes than the plan's two, which may agree by chance.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/record/measurement.h"
#include "core/verdict/verdict.h"
#include "experiment/context.h"
#include "judge/rules/bytes_rule.h"

namespace stepgate {

/// Exact processes that were measured, without failures.
std::int64_t exact_processes(const Measurement& measurement);

/// How many more a verdict on `measurement` asks for: 0 where no gating metric of tier bytes is regressed.
std::int64_t processes_to_confirm(const CaseVerdict& verdict, const Measurement& measurement);

/// A case measured by the gate, and how many exact processes more it is to have.
struct Screened {
  const Context& context;
  const ManifestCase& entry;
  const Measurement& measurement;
  std::int64_t more = 0;
};

/// The measurement with these processes added, also in its file. Interrupted: as it was.
Measurement with_more_processes(const Screened& screened, const std::atomic<int>& interrupted);

}  // namespace stepgate
