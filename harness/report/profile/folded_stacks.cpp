#include "report/profile/folded_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// A semicolon separates frames, and a line end separates stacks.
std::string frame_text(const std::string& text) {
  std::string clean = terminal_text(text, false);
  std::replace(clean.begin(), clean.end(), ';', ':');
  return clean;
}

std::string frame_text(const SourceFrame& frame) {
  const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
  if (file.empty()) return frame_text(frame.function);
  return frame_text(fmt::format("{} ({}:{})", frame.function, file, frame.line));
}

std::string stack_of(const ObservedWork& work, const OperatorSite& site) {
  std::string stack = frame_text(site.boundary.empty() ? "outside" : site.boundary);
  if (site.place && *site.place < work.places.size()) {
    const auto& frames = work.places[*site.place].frames;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) stack += ";" + frame_text(*frame);
  }
  if (!site.parent.empty()) stack += ";" + frame_text(site.parent);
  return stack + ";" + frame_text(site.name);
}

}  // namespace

std::string folded_stacks(const std::vector<const ObservedWork*>& processes) {
  std::map<std::string, double> stacks;
  for (const ObservedWork* work : processes) {
    const double steps = static_cast<double>(std::max<std::int64_t>(work->steps, 1) * std::ssize(processes));
    for (const OperatorSite& site : work->sites) {
      stacks[stack_of(*work, site)] += static_cast<double>(site.self_ns) / steps;
    }
  }
  std::string text;
  for (const auto& [stack, ns] : stacks) {
    if (ns >= 0.5) text += fmt::format("{} {:.0f}\n", stack, ns);
  }
  return text;
}

}  // namespace stepgate
