#include "diagnose/profile/step/roofline.h"

#include <algorithm>

#include "core/study/best_peaks.h"
#include "core/study/flop_peak.h"
#include "core/units.h"

namespace stepgate {

double bandwidth_for(double working_set_bytes, const std::vector<BandwidthLevel>& ascending) {
  if (ascending.empty()) return 0;
  for (const BandwidthLevel& level : ascending) {
    if (static_cast<double>(level.working_set_bytes) >= working_set_bytes) return level.bytes_per_s;
  }
  return ascending.back().bytes_per_s;
}

OperatorRoof roof_of(const OperatorSite& site, const MachinePeaks& peaks) {
  OperatorRoof roof;
  roof.floor_ns = static_cast<double>(site.calls) * static_cast<double>(peaks.floor_ns);
  const auto rate = peaks.flops_per_s.find(compute_dtype(site));
  if (rate != peaks.flops_per_s.end() && rate->second > 0) {
    roof.compute_ns = static_cast<double>(site.flops) / rate->second * ns_per_s;
  }
  if (site.bytes > 0) {
    const auto calls = static_cast<double>(std::max<std::int64_t>(1, site.leaf_calls));
    const double bandwidth = bandwidth_for(static_cast<double>(site.bytes) / calls, peaks.bandwidth);
    if (bandwidth > 0) roof.bandwidth_ns = static_cast<double>(site.bytes) / bandwidth * ns_per_s;
  }
  return roof;
}

bool are_known(const MachinePeaks& peaks) {
  return peaks.floor_ns > 0 || !peaks.flops_per_s.empty() || !peaks.bandwidth.empty();
}

MachinePeaks best_peaks(std::span<const ProfileRun* const> runs) {
  MachinePeaks best;
  for (const ProfileRun* run : runs) raise_peaks(run->peaks, best);
  return best;
}

}  // namespace stepgate
