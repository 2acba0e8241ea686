#include "diagnose/profile/step/called_stacks.h"

#include <functional>
#include <map>
#include <utility>

#include "diagnose/patterns/pattern.h"

namespace stepgate {
namespace {

bool knows_lines(const ProfileRun& run) {
  return std::ranges::any_of(run.observed->places, [](const CodePlace& place) {
    return std::ranges::any_of(place.frames, [](const SourceFrame& frame) { return frame.line > 0; });
  });
}

/// Frames that can be a place: with lines, those that have one.
Frames repeatable_frames(const ObservedWork& work, std::size_t site, bool lines) {
  Frames frames = frames_of(work, site);
  std::erase_if(frames, [lines](const SourceFrame& frame) { return lines ? frame.line <= 0 : frame.function.empty(); });
  return frames;
}

}  // namespace

std::vector<const ProfileRun*> comparable_runs(std::span<const ProfileRun* const> runs) {
  std::vector<const ProfileRun*> used;
  for (const ProfileRun* run : runs) {
    if (run->observed && run->observed->steps > 0 && run->observed_wall_ns > 0) used.push_back(run);
  }
  const auto with_lines = [](const ProfileRun* run) { return knows_lines(*run); };
  if (std::ranges::any_of(used, with_lines)) std::erase_if(used, std::not_fn(with_lines));
  return used;
}

std::vector<CalledStack> called_stacks(std::span<const ProfileRun* const> runs) {
  const auto used = comparable_runs(runs);
  const bool lines = !used.empty() && knows_lines(*used.front());
  std::map<Frames, StepShare, FrameOrder> shares;
  for (std::size_t process = 0; process < used.size(); ++process) {
    const ProfileRun* const run = used[process];
    const double observed_ns = static_cast<double>(run->observed_wall_ns) * static_cast<double>(used.size());
    for (std::size_t i = 0; i < run->observed->sites.size(); ++i) {
      const OperatorSite& site = run->observed->sites[i];
      Frames frames = repeatable_frames(*run->observed, i, lines);
      if (frames.empty()) continue;
      const double share = static_cast<double>(site.self_ns) / observed_ns;
      const double bytes = static_cast<double>(site.bytes) / static_cast<double>(run->observed->steps * used.size());
      StepShare of_site{.all = share, .touched_bytes = bytes};
      for (std::size_t at = 0; at < removable.size(); ++at) {
        if (site.boundary == name_of(removable[at])) of_site.removed[at] = share;
      }
      of_site.by_process.resize(used.size());
      of_site.by_process[process] = share * static_cast<double>(used.size());
      shares[std::move(frames)].add(of_site);
    }
  }
  std::vector<CalledStack> stacks;
  for (const auto& [frames, share] : shares) stacks.push_back({frames, share});
  return stacks;
}

}  // namespace stepgate
