#include "core/study/best_peaks.h"

#include <algorithm>

namespace stepgate {

void raise_peaks(const MachinePeaks& other, MachinePeaks& best) {
  for (const auto& [dtype, rate] : other.flops_per_s) {
    double& highest = best.flops_per_s[dtype];
    highest = std::max(highest, rate);
  }
  for (const BandwidthLevel& level : other.bandwidth) {
    const auto at = std::ranges::lower_bound(best.bandwidth, level.working_set_bytes, {},
                                             [](const BandwidthLevel& each) { return each.working_set_bytes; });
    if (at == best.bandwidth.end() || at->working_set_bytes != level.working_set_bytes) {
      best.bandwidth.insert(at, level);
    } else {
      at->bytes_per_s = std::max(at->bytes_per_s, level.bytes_per_s);
    }
  }
  if (other.floor_ns > 0 && (best.floor_ns == 0 || other.floor_ns < best.floor_ns)) best.floor_ns = other.floor_ns;
}

}  // namespace stepgate
