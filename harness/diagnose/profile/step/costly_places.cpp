#include "diagnose/profile/step/costly_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/boundary.h"
#include "core/repeated_place.h"
#include "core/units.h"
#include "diagnose/profile/step/called_stacks.h"

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

/// Which share of the step a byte takes at the rate of the largest working set, mean over the processes that measured
/// it. The largest is that of memory: no cache holds it.
std::optional<double> share_of_byte(std::span<const ProfileRun* const> runs) {
  double sum = 0;
  int measured = 0;
  for (const ProfileRun* run : runs) {
    const double rate = run->peaks.bandwidth.empty() ? 0 : run->peaks.bandwidth.back().bytes_per_s;
    const std::int64_t wall_ns = run->unobserved_wall_ns > 0 ? run->unobserved_wall_ns : run->observed_wall_ns;
    if (!(rate > 0) || wall_ns <= 0) continue;
    sum += ns_per_s / rate * static_cast<double>(run->observed->steps) / static_cast<double>(wall_ns);
    ++measured;
  }
  return measured > 0 ? std::optional(sum / measured) : std::nullopt;
}

}  // namespace

std::vector<CallCost> costly_places(std::span<const ProfileRun* const> runs) {
  const std::vector<PlaceCandidate> by_time = candidates_by_time(called_stacks(runs));
  const std::optional<double> byte_share = share_of_byte(comparable_runs(runs));
  std::vector<CallCost> places;
  for (const PlaceCandidate* each : chosen_places(by_time)) {
    const auto [least, most] = std::ranges::minmax(each->share.by_process);
    places.push_back({.at = each->at,
                      .name = short_name(each->at),
                      .observed = std::min(1.0, each->share.all),
                      .observed_range = Interval{std::min(1.0, least), std::min(1.0, most)}});
    if (byte_share) places.back().most_overshoot = each->share.touched_bytes * *byte_share;
  }
  add_files_where_needed(places);
  return places;
}

}  // namespace stepgate
