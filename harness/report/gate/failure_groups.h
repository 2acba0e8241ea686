// What failed, each thing said once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// Failures of one case that tell the same: the kind, the output, and the message up to its time ("after 2.1 s").
struct FailureGroup {
  ReplicateFailure first;
  std::size_t processes = 1;

  /// "crashed: killed by signal 11 (segmentation fault) after 2.1 s; and 2 more processes"
  std::string sentence() const;
};

std::vector<FailureGroup> failure_groups(const Outcome& outcome);

/// True where a text (the detail of the verdict), or the finding "replicate-failed", only repeats what the failures of
/// this outcome say.
bool repeats_failures(const std::string& text, const Outcome& outcome);
bool repeats_failures(const Finding& finding, const Outcome& outcome);

}  // namespace stepgate
