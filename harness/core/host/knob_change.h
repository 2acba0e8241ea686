// One reversible change of the host, as the guard journals, applies and restores it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

enum class ChangeKind {
  file,             ///< `target` is a file: `original` and `wanted` are its content
  file_in_folder,   ///< a file below a folder that an earlier change created; both are removed together
  folder,           ///< `target` is a cgroup: created, and removed after its processes moved to its parent
  controller,       ///< `target` is a cgroup.subtree_control: `wanted` names one controller, e.g. "cpuset"
  paused_process,   ///< `target` is "pid starttime": stopped, and continued later
  gpu_persistence,  ///< `target` is a GPU's UUID; "0" or "1"
  gpu_clocks,       ///< `target` is a GPU's UUID; `wanted` in MHz; the driver has no getter, so `original` is "unknown"
  gpu_memory_clocks  ///< the same for the memory clock
};

/// The GPU's driver makes this change.
constexpr bool is_of_gpu(ChangeKind kind) {
  return kind == ChangeKind::gpu_persistence || kind == ChangeKind::gpu_clocks || kind == ChangeKind::gpu_memory_clocks;
}

struct KnobChange {
  std::string knob;  ///< name of the knob it belongs to, as in KnobReport
  ChangeKind kind = ChangeKind::file;
  std::string target;
  std::string original;
  std::string wanted;
  /// Lower numbers are restored earlier. Reverse order would be wrong: writing a governor resets turbo on Intel, so
  /// turbo comes after it. The global boost switch comes before the policies' own, which the kernel refuses while it is
  /// off. The daemon that moves interrupts comes last, because it would move them again.
  int restore_rank = 0;

  bool operator==(const KnobChange&) const = default;
};

inline constexpr std::array change_kind_names = {"file",       "file_in_folder",   "folder",
                                                 "controller", "paused_process",   "gpu_persistence",
                                                 "gpu_clocks", "gpu_memory_clocks"};
constexpr std::string_view name_of(ChangeKind kind) { return change_kind_names[static_cast<std::size_t>(kind)]; }
constexpr std::optional<ChangeKind> change_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < change_kind_names.size(); ++i) {
    if (name == change_kind_names[i]) return static_cast<ChangeKind>(i);
  }
  return std::nullopt;
}

}  // namespace stepgate
