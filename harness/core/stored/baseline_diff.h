// What a new baseline would change, as values: baseline/ computes it and report/ renders it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/fingerprint.h"
#include "core/text/operator_change.h"

namespace stepgate {

/// One metric on both sides, in natural units: exact metrics as mean per step, bytes as the largest value, timed
/// metrics as the median over all replicates of all sessions, loss and grad_norm as the last compared step.
struct BaselineDiffRow {
  std::string metric;
  std::optional<double> before;        ///< absent: new in this baseline
  std::optional<double> after;         ///< absent: no longer measured
  std::optional<double> change;        ///< after/before - 1; positive means more, which may be better or worse
  std::optional<double> since_anchor;  ///< after/anchor - 1
  bool moved = false;                  ///< any value of the metric differs, even if before == after
};

struct BaselineDiff {
  std::string case_name;
  std::string runner_class;                    ///< file_label()
  bool first = false;                          ///< there is no committed baseline
  std::vector<BaselineDiffRow> rows;           ///< in the order of the catalogue, then all others
  std::vector<OperatorChange> operators;       ///< per step
  std::vector<FingerprintMismatch> key_facts;  ///< expected: committed; found: pending
  std::size_t sessions_before = 0;
  std::size_t sessions_after = 0;
  std::string committed_by;  ///< "9f2c1, 2026-11-09: new attention", "" for a first baseline
  std::string anchor_from;   ///< "1a2b3, 2026-03-01", "" without an anchor
};

}  // namespace stepgate
