#include "experiment/plan/event_notice.h"

#include <fmt/format.h>

#include "core/text/number_format.h"

namespace stepgate {

std::optional<Notice> thinned_events(const Measurement& measurement) {
  EventCost most;
  const char* of = "";
  for (const Replicate& replicate : measurement.replicates) {
    if (!replicate.record || !replicate.record->warmup || !replicate.record->warmup->event_cost) continue;
    const EventCost& cost = *replicate.record->warmup->event_cost;
    if (cost.marked_window_every <= most.marked_window_every) continue;
    most = cost;
    of = replicate.record->group == Group::reference ? " of the reference case" : "";
  }
  if (most.marked_window_every == 1) return std::nullopt;
  return Notice{
      Severity::note,
      fmt::format("{}: recording device events takes {} of a step{}, more than 0.1 % of it; one window in {} "
                  "records them",
                  measurement.case_name, duration_text(static_cast<double>(most.record_ns * most.records_per_step)), of,
                  most.marked_window_every)};
}

}  // namespace stepgate
