#include "experiment/studies/profiled/repeated_places.h"

#include <algorithm>
#include <utility>

#include "core/record/clean_records.h"

namespace stepgate {
namespace {

bool is_at(const SourceFrame& frame, const SourceFrame& place) {
  if (frame.file != place.file) return false;
  return place.line > 0 ? frame.line == place.line : frame.function == place.function;
}

}  // namespace

std::vector<const ProfileRun*> observing_runs(const Measurement& profile) {
  std::vector<const ProfileRun*> runs;
  for (const RunRecord* record : clean_records(profile, Group::profile)) {
    if (record->profile && record->profile->observed) runs.push_back(&*record->profile);
  }
  return runs;
}

std::vector<RepeatedPlace> repeated_places(const std::vector<CallCost>& places, ObservedWork work,
                                           const SourcePlace& program) {
  KnownPlaces known;
  SourcePlace resolved = program;
  resolved.known = &known;
  for (CodePlace& place : work.places) place.frames.clear();
  resolve_places(work, resolved);
  std::vector<RepeatedPlace> found;
  for (const CallCost& place : places) {
    RepeatedPlace repeated{.name = place.name, .offsets = {}};
    for (const auto& [offset, frames] : known.frames) {
      if (std::ranges::any_of(frames, [&](const SourceFrame& frame) { return is_at(frame, place.at); })) {
        repeated.offsets.push_back(offset);
      }
    }
    if (!repeated.offsets.empty()) found.push_back(std::move(repeated));
  }
  return found;
}

}  // namespace stepgate
