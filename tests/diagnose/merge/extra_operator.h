// One more operator in forward, with all that it moves, and what the gate names as causes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/sample_case.h"

namespace stepgate {

inline std::vector<Finding> causes_of(const SampleCase& sample) {
  std::vector<Finding> findings = diagnose(sample.input());
  std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::cause; });
  return findings;
}

/// Adds `per_step` of a metric to a boundary in each of four counted steps.
inline void grow(SampleCase& sample, const std::string& metric, const std::string& boundary, std::int64_t per_step) {
  sample.current.counts.by_boundary[metric][boundary] += 4 * per_step;
  auto& steps = sample.current.counts.per_step[metric];
  if (steps.empty()) steps = sample.portable.exact[metric] = {0, 0, 0, 0};
  for (std::int64_t& step : steps) step += per_step;
  sample.red(metric);
}

/// The effect of an extra log_softmax in forward: operator, allocations, bytes, peak, and live memory.
inline SampleCase extra_operator() {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::log_softmax"] = 4;
  sample.red("operators_per_step");
  grow(sample, "allocations_per_step", "forward", 3);
  grow(sample, "allocated_bytes_per_step", "forward", 2048);
  sample.current.peak_by_boundary = {{"forward", 5120}, {"backward", 5024}, {"optimizer", 2000}};
  sample.current.bytes["peak_allocated_bytes"] = {5120};
  sample.red("peak_allocated_bytes");
  sample.portable.ledger = MemoryLedger{4096, 1, "forward", {{"activations", 3000}, {"parameters", 1096}}};
  sample.current.ledger = MemoryLedger{5120, 1, "forward", {{"activations", 4024}, {"parameters", 1096}}};
  return sample;
}

}  // namespace stepgate
