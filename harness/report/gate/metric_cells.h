// One metric's verdict as the texts of a table row. No layout here.
#pragma once

#include <string>

#include "core/verdict/verdict.h"

namespace stepgate {

struct MetricCells {
  std::string metric;    ///< its label
  std::string baseline;  ///< "-" where there is none
  std::string now;
  std::string change;    ///< "+1", "+4.3 %"; a rising value is "+", whether that is better or worse
  std::string relative;  ///< "(+0.24 %)" beside an absolute change
  std::string interval;  ///< "[+3.9 %, +4.8 %]", "" where there is none
  std::string limit;
  std::string verdict;
};

MetricCells metric_cells(const MetricVerdict& verdict);

/// "REGRESSED", "inconclusive", "no baseline", ...: reds in capitals, so that they stand out without colour.
std::string status_text(Status status);

/// What a metric's row says: as status_text(), but "not judged: new" where the baseline is older than the metric, and
/// "waived" where the policy excuses it.
std::string verdict_text(const MetricVerdict& verdict);

/// True for a metric that is measured on request only: reports show it even if it passes.
bool was_asked_for(const MetricVerdict& verdict);

/// "unchanged: 12 exact, 3 bytes; within limits: 2 timed; waived: 1; not judged: 1 new": what passed, how many
/// regressions a waiver excuses, and which gating metrics are newer than the baseline, in one line. "" if there is none
/// of these.
std::string passing_summary(const CaseVerdict& verdict);

/// "step 14.3 ms, 4 480 samples/s (-4.1 %), 70 steps/s, 71 700 effective of 89 600 padded tokens/s, padding ratio
/// 0.200"; "" where no time was taken. Information only.
std::string throughput_summary(const CaseVerdict& verdict);

}  // namespace stepgate
