#include "diagnose/profile/step/costly_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "core/boundary.h"
#include "core/repeated_place.h"
#include "diagnose/patterns/pattern.h"

namespace stepgate {
namespace {

/// Own choice: three times the default ignore margin, since an observer makes small operators look larger than they
/// are.
constexpr double least_share_to_repeat = 0.03;

/// Own choice: that the step would be shorter by itself tells nothing.
constexpr double whole_step = 0.9;

/// Own choice: so large a caller tells nothing that the times of the boundaries do not tell.
constexpr double largest_caller = 0.5;

/// Own choice: two places that share 90 % of their operators would show one cost twice.
constexpr double common_at_least = 0.9;

/// Own choice: beside its function such a line would take the block of another place.
constexpr double most_of_its_function = 0.8;

/// Own choice: callers say which part of the model costs, leaf places where to mend. Most blocks are for the latter.
constexpr std::ptrdiff_t most_callers = 3;

/// Own choice: no caller within the model says what a line of the optimizer beside its update costs.
constexpr std::ptrdiff_t most_parts = 2;

using Frames = std::vector<SourceFrame>;

struct FrameOrder {
  bool operator()(const SourceFrame& a, const SourceFrame& b) const {
    return std::tie(a.file, a.line, a.function) < std::tie(b.file, b.line, b.function);
  }
  bool operator()(const Frames& a, const Frames& b) const {
    return std::ranges::lexicographical_compare(a, b, FrameOrder{});
  }
};

/// Boundaries whose work other experiments take away. data_wait comes first.
constexpr std::array removable = {Boundary::data_wait, Boundary::optimizer, Boundary::logging};

/// A share of the observed step, mean over the processes.
struct StepShare {
  double all = 0;
  std::array<double, removable.size()> removed = {};  ///< the parts of it in these boundaries
  std::vector<double> by_process = {};                ///< of `all`: the share in each of them

  void add(const StepShare& other) {
    all += other.all;
    for (std::size_t i = 0; i < removed.size(); ++i) removed[i] += other.removed[i];
    by_process.resize(std::max(by_process.size(), other.by_process.size()));
    for (std::size_t i = 0; i < other.by_process.size(); ++i) by_process[i] += other.by_process[i];
  }
  double beside_waiting() const { return all - removed.front(); }
};

/// What other experiments tell about a place.
enum class Removed {
  no,     ///< most of it is in other boundaries
  part,   ///< it is a line of the optimizer or of logging, whose experiment tells the sum of all
  whole,  ///< it is most of such a boundary, or in data_wait, whose calls may run on a thread where nothing runs twice
};

Removed removed_of(const StepShare& place, const StepShare& step) {
  const auto part = static_cast<std::size_t>(std::ranges::max_element(place.removed) - place.removed.begin());
  if (2 * std::accumulate(place.removed.begin(), place.removed.end(), 0.0) <= place.all) return Removed::no;
  return part == 0 || 2 * place.removed[part] > step.removed[part] ? Removed::whole : Removed::part;
}

/// All operators with these frames. No place tells them apart.
struct CalledStack {
  Frames frames;
  StepShare share;
};

bool knows_lines(const ProfileRun& run) {
  return std::ranges::any_of(run.observed->places, [](const CodePlace& place) {
    return std::ranges::any_of(place.frames, [](const SourceFrame& frame) { return frame.line > 0; });
  });
}

/// Processes whose frames can be compared: if one knows lines, those that do. Without lines an inlined function has no
/// frame.
std::vector<const ProfileRun*> comparable_runs(std::span<const ProfileRun* const> runs) {
  std::vector<const ProfileRun*> used;
  for (const ProfileRun* run : runs) {
    if (run->observed && run->observed->steps > 0 && run->observed_wall_ns > 0) used.push_back(run);
  }
  const auto with_lines = [](const ProfileRun* run) { return knows_lines(*run); };
  if (std::ranges::any_of(used, with_lines)) std::erase_if(used, std::not_fn(with_lines));
  return used;
}

/// Frames that can be a place: with lines, those that have one.
Frames repeatable_frames(const ObservedWork& work, std::size_t site, bool lines) {
  Frames frames = frames_of(work, site);
  std::erase_if(frames, [lines](const SourceFrame& frame) { return lines ? frame.line <= 0 : frame.function.empty(); });
  return frames;
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
      StepShare of_site{.all = share};
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

struct PlaceCandidate {
  SourceFrame at;                   ///< line 0: a function
  std::vector<std::size_t> stacks;  ///< that have it, ascending
  StepShare share;
  double innermost = 0;    ///< share of the stacks whose innermost frame is of this place
  double depth_share = 0;  ///< sum of share * frames further in
  Removed removed = Removed::no;

  /// The innermost frame of each stack counts, so frames must come in their order.
  void add(std::size_t stack, std::size_t depth, const StepShare& of_stack) {
    if (!stacks.empty() && stacks.back() == stack) return;
    stacks.push_back(stack);
    share.add(of_stack);
    if (depth == 0) innermost += of_stack.all;
    depth_share += of_stack.all * static_cast<double>(depth);
  }
  bool is_line() const { return at.line > 0; }
  bool is_leaf() const { return 2 * innermost > share.all; }
  /// Frames further in, for most of its time.
  long depth() const { return std::lround(depth_share / share.all); }
};

std::vector<PlaceCandidate> all_candidates(const std::vector<CalledStack>& stacks) {
  std::map<SourceFrame, PlaceCandidate, FrameOrder> found;  // lines without function, functions without line
  const auto add = [&](const SourceFrame& key, const SourceFrame& at, std::size_t stack, std::size_t depth) {
    PlaceCandidate& place = found[key];
    if (place.stacks.empty()) place.at = at;
    place.add(stack, depth, stacks[stack].share);
  };
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    for (std::size_t depth = 0; depth < stacks[i].frames.size(); ++depth) {
      const SourceFrame& frame = stacks[i].frames[depth];
      const SourceFrame function{.function = frame.function, .file = frame.file};
      if (frame.line > 0) add({.function = "", .file = frame.file, .line = frame.line}, frame, i, depth);
      if (!frame.function.empty()) add(function, function, i, depth);
    }
  }
  std::vector<PlaceCandidate> candidates;
  for (auto& [key, place] : found) candidates.push_back(std::move(place));
  return candidates;
}

bool have_same_operators(const PlaceCandidate& a, const PlaceCandidate& b, const std::vector<CalledStack>& stacks) {
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a.stacks, b.stacks, std::back_inserter(both));
  double common = 0;
  for (const std::size_t stack : both) common += stacks[stack].share.all;
  return common >= common_at_least * (a.share.all + b.share.all - common);
}

/// One of those that have the same operators: the innermost, and the line rather than its function.
std::vector<PlaceCandidate> distinct_candidates(std::vector<PlaceCandidate> candidates,
                                                const std::vector<CalledStack>& stacks) {
  std::ranges::stable_sort(candidates, [](const PlaceCandidate& a, const PlaceCandidate& b) {
    return std::pair(a.depth(), !a.is_line()) < std::pair(b.depth(), !b.is_line());
  });
  std::vector<PlaceCandidate> kept;
  for (PlaceCandidate& each : candidates) {
    const bool known = std::ranges::any_of(
        kept, [&](const PlaceCandidate& other) { return have_same_operators(each, other, stacks); });
    if (!known) kept.push_back(std::move(each));
  }
  return kept;
}

std::vector<PlaceCandidate> candidates_by_time(const std::vector<CalledStack>& stacks) {
  StepShare step;
  for (const CalledStack& stack : stacks) step.add(stack.share);
  std::vector<PlaceCandidate> candidates = all_candidates(stacks);
  std::erase_if(candidates, [&](const PlaceCandidate& place) {
    return place.share.all < least_share_to_repeat ||
           place.share.beside_waiting() > whole_step * step.beside_waiting() ||
           (!place.is_leaf() && place.share.all > largest_caller);
  });
  for (PlaceCandidate& place : candidates) place.removed = removed_of(place.share, step);
  candidates = distinct_candidates(std::move(candidates), stacks);
  std::ranges::sort(candidates, [](const PlaceCandidate& a, const PlaceCandidate& b) {
    return a.share.all != b.share.all ? a.share.all > b.share.all : FrameOrder{}(a.at, b.at);
  });
  return candidates;
}

bool is_most_of(const PlaceCandidate& line, const PlaceCandidate& function) {
  return line.is_line() && line.is_leaf() && !function.is_line() && line.at.function == function.at.function &&
         line.at.file == function.at.file && line.share.all > most_of_its_function * function.share.all;
}

using Places = std::vector<const PlaceCandidate*>;

/// In the order in which they get blocks.
Places by_priority(const std::vector<PlaceCandidate>& by_time) {
  Places leaves;
  Places parts;
  Places callers;
  Places last;
  for (const PlaceCandidate& each : by_time) {
    const bool is_part = each.removed == Removed::part && std::ssize(parts) < most_parts;
    Places& kind = each.removed == Removed::whole ? last : is_part ? parts : each.is_leaf() ? leaves : callers;
    kind.push_back(&each);
  }
  const std::ptrdiff_t first_callers = std::min(most_callers, std::ssize(callers));
  const std::ptrdiff_t first_leaves =
      std::min(static_cast<std::ptrdiff_t>(most_repeated_places) - first_callers, std::ssize(leaves));
  Places order(leaves.begin(), leaves.begin() + first_leaves);
  order.insert(order.end(), parts.begin(), parts.end());
  order.insert(order.end(), callers.begin(), callers.begin() + first_callers);
  order.insert(order.end(), leaves.begin() + first_leaves, leaves.end());
  order.insert(order.end(), callers.begin() + first_callers, callers.end());
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

/// Whether a line that may be chosen says more exactly what this function is.
bool has_its_line(const PlaceCandidate& function, const std::vector<PlaceCandidate>& candidates) {
  return std::ranges::any_of(candidates, [&](const PlaceCandidate& line) { return is_most_of(line, function); });
}

Places chosen_places(const std::vector<PlaceCandidate>& by_time) {
  Places chosen;
  for (const PlaceCandidate* each : by_priority(by_time)) {
    if (!has_its_line(*each, by_time) && chosen.size() < most_repeated_places) chosen.push_back(each);
  }
  return chosen;
}

std::string short_name(const SourceFrame& at) {
  if (at.line <= 0) return at.function;
  return fmt::format("{}:{}", at.file.substr(at.file.rfind('/') + 1), at.line);
}

void add_files_where_needed(std::vector<CallCost>& places) {
  std::map<std::string, int> uses = {{std::string(unchanged_calls), 1}, {std::string(passed_calls), 1}};
  for (const CallCost& place : places) ++uses[place.name];
  for (CallCost& place : places) {
    if (uses[place.name] > 1) place.name += fmt::format(" ({})", place.at.file);
  }
}

}  // namespace

std::vector<CallCost> costly_places(std::span<const ProfileRun* const> runs) {
  const std::vector<PlaceCandidate> by_time = candidates_by_time(called_stacks(runs));
  std::vector<CallCost> places;
  for (const PlaceCandidate* each : chosen_places(by_time)) {
    const auto [least, most] = std::ranges::minmax(each->share.by_process);
    places.push_back({.at = each->at,
                      .name = short_name(each->at),
                      .observed = std::min(1.0, each->share.all),
                      .observed_range = Interval{std::min(1.0, least), std::min(1.0, most)}});
  }
  add_files_where_needed(places);
  return places;
}

}  // namespace stepgate
