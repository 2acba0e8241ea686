// What the observer saw of the operators that are called through the same frames of the user's code.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "core/boundary.h"
#include "core/record/profile_run.h"

namespace stepgate {

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
inline constexpr std::array removable = {Boundary::data_wait, Boundary::optimizer, Boundary::logging};

/// A share of the observed step, mean over the processes.
struct StepShare {
  double all = 0;
  std::array<double, removable.size()> removed = {};  ///< the parts of it in these boundaries
  std::vector<double> by_process = {};                ///< of `all`: the share in each of them
  double touched_bytes = 0;                           ///< of one step

  void add(const StepShare& other) {
    all += other.all;
    touched_bytes += other.touched_bytes;
    for (std::size_t i = 0; i < removed.size(); ++i) removed[i] += other.removed[i];
    by_process.resize(std::max(by_process.size(), other.by_process.size()));
    for (std::size_t i = 0; i < other.by_process.size(); ++i) by_process[i] += other.by_process[i];
  }
  double beside_waiting() const { return all - removed.front(); }
};

/// All operators with these frames. No place tells them apart.
struct CalledStack {
  Frames frames;
  StepShare share;
};

/// Processes whose frames can be compared: if one knows lines, those that do. Without lines an inlined function has no
/// frame.
std::vector<const ProfileRun*> comparable_runs(std::span<const ProfileRun* const> runs);

/// Pure. Of the operators of comparable runs that have a frame with a line, or where no line is known a function.
std::vector<CalledStack> called_stacks(std::span<const ProfileRun* const> runs);

}  // namespace stepgate
