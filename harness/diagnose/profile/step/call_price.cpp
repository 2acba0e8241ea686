#include "diagnose/profile/step/call_price.h"

#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

/// Own choice: an operator that allocates its result and records its gradient takes up to four times the cheapest call,
/// which does neither.
constexpr double least_efficiency_of_a_call = 0.25;

}  // namespace

bool is_price_of_calls(const OperatorRow& row, const MachinePeaks& peaks) {
  if (row.overhead) return true;
  const OperatorRoof roof = roof_of(row.site, peaks);
  return roof.floor_ns > 0 && roof.floor_ns >= roof.work_ns() && row.efficiency >= least_efficiency_of_a_call;
}

}  // namespace stepgate
