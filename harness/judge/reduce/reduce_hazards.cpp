#include "judge/reduce/reduce_hazards.h"

#include <algorithm>

namespace stepgate {

void add_hazards(const Measurement& measurement, CaseValues& into) {
  if (!measurement.hazards) return;
  into.hazards = measurement.hazards;
  const std::size_t processes = std::max<std::size_t>(1, into.exact_processes.size());
  into.exact["stream_hazards"].assign(processes, {measurement.hazards->hazards});
}

}  // namespace stepgate
