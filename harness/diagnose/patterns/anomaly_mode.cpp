#include <fmt/format.h>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {

// In this mode the engine calls isnan(gradient)._is_any_true().item() for each gradient that a node gives (LibTorch
// 2.11: eight operators a gradient).
std::vector<PatternMatch> find_anomaly_mode(const ObservedWork& work) {
  const double asked = calls_per_step(work, name_of(Boundary::backward), "aten::_is_any_true");
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.name != "aten::isnan" || site.boundary != name_of(Boundary::backward) || asked == 0) continue;
    return {{i, asked,
             fmt::format("each of {} gradients is searched for NaN, and the host waits for the answer",
                         count_text(asked))}};
  }
  return {};
}

}  // namespace stepgate
