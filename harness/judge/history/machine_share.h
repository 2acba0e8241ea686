// How much of a change is the machine's: times of a case beside those of the reference case of the same commits.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/study/history_report.h"

namespace stepgate {

/// A series beside its reference case. Both epochs are of one class and key.
struct WithReference {
  const HistoryReport& report;
  const HistorySeries& series;
  const HistoryEpoch& epoch;
  const HistoryEpoch& reference;
};

/// Logarithms where both were measured, a rise worse.
struct RelativeSeries {
  std::vector<double> measured_ratios;  ///< the time over that of the reference case
  std::vector<double> ratios;           ///< the same, spikes replaced
  std::vector<double> references;       ///< the time of the reference case, spikes replaced
  std::vector<std::size_t> points;      ///< for each value its point of the epoch, ascending
};
RelativeSeries relative_to_reference(const WithReference& beside);

/// Points [begin, end) of an epoch.
struct PointRange {
  std::size_t begin;
  std::size_t end;
};

/// Two stretches of points that are compared.
struct ComparedRanges {
  PointRange before;
  PointRange after;
};

/// The levels on both sides of the change; 10 points each where it is between no levels.
ComparedRanges ranges_beside(const HistoryEpoch& epoch, const HistoryChange& change);

/// What the machine has to do with a change, ln units, worse positive.
struct MachineShare {
  double moved = 0;       ///< by the reference case; 0 where that may be chance (one-sided 99.9 %)
  bool explains = false;  ///< the whole change
};

/// The machine explains a change of `log_change` where the reference case moved at least half as much, and where the
/// case moved beside it by no more than the ignore margin: the one-sided 95 % limit of the change of their ratio. A
/// reference that moved half as much so explains a half. Neither where a side has fewer than two values.
MachineShare machine_share(const RelativeSeries& relative, const ComparedRanges& ranges, double log_change);

}  // namespace stepgate
