// What one case is asked to do: step counts, process counts, pins. Fixed before anything is measured.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// One run through the case that answers one question (docs/design/processes_and_passes.md, "Passes").
enum class Pass { e2e, phase, synthetic, loader, h2d, logging, counts, memory, numerics };
inline constexpr std::array<Pass, 9> all_passes = {Pass::e2e,    Pass::phase,  Pass::synthetic,
                                                   Pass::loader, Pass::h2d,    Pass::logging,
                                                   Pass::counts, Pass::memory, Pass::numerics};

/// Kinds of measured process. `timed` runs e2e, phase, loader, h2d, logging, synthetic; `exact` runs counts, memory,
/// numerics; `reference` runs the fixed reference case, to tell "the machine moved" from "the code moved".
enum class Group { timed, exact, reference };
inline constexpr std::array<Group, 3> all_groups = {Group::timed, Group::exact, Group::reference};

constexpr std::string_view name_of(Pass pass) {
  constexpr std::array<std::string_view, 9> names = {"e2e",     "phase",  "synthetic", "loader",  "h2d",
                                                     "logging", "counts", "memory",    "numerics"};
  return names[static_cast<std::size_t>(pass)];
}
constexpr std::string_view name_of(Group group) {
  constexpr std::array<std::string_view, 3> names = {"timed", "exact", "reference"};
  return names[static_cast<std::size_t>(group)];
}
constexpr std::optional<Pass> pass_named(std::string_view name) {
  for (Pass pass : all_passes) {
    if (name_of(pass) == name) return pass;
  }
  return std::nullopt;
}
constexpr std::optional<Group> group_named(std::string_view name) {
  for (Group group : all_groups) {
    if (name_of(group) == name) return group;
  }
  return std::nullopt;
}

/// How the launcher measures one case.
struct Plan {
  std::int64_t timed_replicates = 5;               ///< fresh processes of group timed (and reference)
  std::int64_t exact_replicates = 2;               ///< two, so that disagreement between processes shows
  std::int64_t max_retries = 2;                    ///< retries of a tainted replicate, at most
  std::uint64_t seed = 20260101;                   ///< same for every replicate: same data, same initial weights
  std::int64_t threads = 1;                        ///< intra-op threads of group timed; group exact is pinned to 1
  double timeout_s = 300;                          ///< per replicate
  std::string malloc_policy = "tuned";             ///< "tuned" sets both glibc thresholds, "system" sets neither
  std::string device = "cpu";                      ///< "cpu" or "cuda"
  std::map<std::string, std::int64_t> steps = {};  ///< step counts by name, over what the case declares
  std::int64_t cpus = 0;  ///< CPUs for group timed (loader workers, ranks); 0: as many as threads
  std::map<std::string, std::string> params = {};  ///< over what the case declares (sweep)

  bool operator==(const Plan&) const = default;
};

}  // namespace stepgate
