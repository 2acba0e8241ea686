// What makes a step of one build slower than a step of another: operators by boundary and line of the user's
// code, seen by the observer in pairs of processes (docs/design/statistics.md, "Difference of two builds").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/code_place.h"

namespace stepgate {

/// What one row did in one step: means over the processes of one build.
struct RowWork {
  double calls = 0;
  double flops = 0;
  double bytes = 0;    ///< touched
  double self_ns = 0;  ///< at the speed that the machine had for the base's processes
};

/// How the exact numbers of a row differ. They repeat from process to process, so that no statistics are needed.
enum class WorkChange {
  none,     ///< calls, FLOPs and bytes are the same
  added,    ///< only head does it
  removed,  ///< only base does it
  more,     ///< more calls, FLOPs or bytes, and none less
  less,     ///< fewer, and none more
  other     ///< some more, some less
};

constexpr std::string_view name_of(WorkChange change) {
  constexpr std::array<std::string_view, 6> names = {"same", "new", "gone", "more", "less", "changed"};
  return names[static_cast<std::size_t>(change)];
}

/// Calls of one operator in one boundary from one line.
struct DifferenceRow {
  std::string boundary;
  std::string name;                              ///< "aten::mm"
  std::optional<SourceFrame> at = std::nullopt;  ///< head's line; the base's where only the base has the row
  WorkChange change = WorkChange::none;
  RowWork base = {};
  RowWork head = {};
  double difference_ns = 0;  ///< head - base in one step, without the cost of observing the further calls
  std::optional<double> lower_ns = std::nullopt;  ///< 95 % interval; absent with fewer than two pairs
  std::optional<double> upper_ns = std::nullopt;
  std::optional<double> p_value = std::nullopt;  ///< adjusted by Holm; absent where the work changed
  std::vector<std::string> operands = {};        ///< what differs in its tensors: "input 1: float32 -> float64"
  std::string says = {};                         ///< one clause: "new, 1 call a step"
};

/// What makes all operators alike slower or faster: the machine, or something that every operator meets.
struct CommonFactor {
  double ratio = 1;  ///< head / base
  double lower = 1;  ///< 99 % interval
  double upper = 1;
  bool differs = false;  ///< the interval leaves out 1, and the ratio is off by at least 0.2 %
};

/// Head against base. The differences of `rows`, `alike_ns` and `rest_ns` add up to `total_ns`.
struct StepDifference {
  std::string case_name;
  std::string base_commit;
  std::string head_commit;
  std::int64_t pairs = 0;
  double step_ns = 0;           ///< step time of the base
  double total_ns = 0;          ///< what is to be explained
  bool total_measured = false;  ///< true: by timed pairs without observer; false: the sum of all observed differences
  double explained_ns = 0;      ///< `rows` and `alike_ns` together
  double alike_ns = 0;          ///< the part of the common factor, where it differs; else 0
  double rest_ns = 0;           ///< total - explained: between operators, in those too small to tell, and noise
  CommonFactor alike;
  std::int64_t tested = 0;          ///< rows with the same work that were tested
  double observer_ns_a_call = 0;    ///< what observing one call costs, as measured in these processes
  std::vector<DifferenceRow> rows;  ///< those that differ: changed work first, then by |difference|
  std::string says = {};            ///< "explained +191 us of +205 us a step (93 %); ..."
  std::vector<std::string> notes = {};
};

}  // namespace stepgate
