#include "diagnose/merge/merge_growing_time.h"

#include <algorithm>
#include <string>

#include "core/boundary.h"
#include "core/leading_time.h"

namespace stepgate {
namespace {

bool is_growing_time(const Fault& fault) {
  return fault.finding.code == FindingCode::grows_with_steps && is_leading_time(fault.finding.metric);
}

}  // namespace

void merge_growing_time(Faults& faults) {
  for (Fault& growing : faults) {
    if (growing.merged || !is_growing_time(growing)) continue;
    const std::string boundary = growing.finding.boundary;
    for (Fault& other : faults) {
      if (other.merged || boundary.empty()) continue;
      const bool slower = other.finding.code == FindingCode::boundary_slower && other.finding.boundary == boundary;
      const bool loader = other.finding.code == FindingCode::loader_slower && boundary == name_of(Boundary::data_wait);
      if (slower || loader) take_whole(other, growing);
    }
    const auto counts = std::find_if(faults.begin(), faults.end(), [&](const Fault& other) {
      return !other.merged && other.finding.code == FindingCode::grows_with_steps && !is_growing_time(other) &&
             (boundary.empty() || boundary == other.finding.boundary);
    });
    if (counts != faults.end()) take_whole(growing, *counts);
  }
}

}  // namespace stepgate
