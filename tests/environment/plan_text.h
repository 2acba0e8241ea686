// A plan as lines of text, which a test can compare and print.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "environment/knobs/host_knobs.h"

namespace stepgate {

/// The plan of one knob, as its row has it.
inline KnobPlan planned(std::string_view knob, const HostFiles& files, const HostWishes& wishes = {}) {
  return plan_of(*find_host_knob(knob), files, wishes);
}

inline int rank_of(std::string_view knob) { return find_host_knob(knob)->restore_rank; }

/// "turbo file /sys/.../no_turbo: 0 -> 1, rank 50", one for each change, in their order.
inline std::vector<std::string> change_lines(const std::vector<KnobChange>& changes) {
  std::vector<std::string> lines;
  for (const KnobChange& one : changes) {
    lines.push_back(fmt::format("{} {} {}: {} -> {}, rank {}", one.knob, name_of(one.kind), one.target, one.original,
                                one.wanted, one.restore_rank));
  }
  return lines;
}

/// "turbo unsupported: why", one for each settled report, in their order.
inline std::vector<std::string> settled_lines(const std::vector<KnobReport>& settled) {
  std::vector<std::string> lines;
  for (const KnobReport& one : settled)
    lines.push_back(fmt::format("{} {}: {}", one.name, name_of(one.state), one.reason));
  return lines;
}

/// Names of the knobs, each once, in the order of their first change.
inline std::vector<std::string> changed_knobs(const KnobPlan& plan) {
  std::vector<std::string> names;
  for (const KnobChange& one : plan.changes) {
    if (names.empty() || names.back() != one.knob) names.push_back(one.knob);
  }
  return names;
}

}  // namespace stepgate
