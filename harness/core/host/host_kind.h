// The kind of host: how much of the machine a measurement has for itself, and how many settings it can change.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// The first that applies, in this order: a container on a laptop is a container.
enum class HostKind { container, virtual_machine, laptop, gpu_host, bare_metal };
inline constexpr std::array<HostKind, 5> all_host_kinds = {HostKind::container, HostKind::virtual_machine,
                                                           HostKind::laptop, HostKind::gpu_host, HostKind::bare_metal};

constexpr std::string_view name_of(HostKind kind) {
  constexpr std::array<std::string_view, 5> names = {"container", "virtual machine", "laptop",
                                                     "bare-metal host with GPU", "bare-metal host"};
  return names[static_cast<std::size_t>(kind)];
}
constexpr std::optional<HostKind> host_kind_named(std::string_view name) {
  for (HostKind kind : all_host_kinds) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

struct FoundHostKind {
  HostKind kind = HostKind::bare_metal;
  std::vector<std::string> reasons;   ///< what was found; the deciding fact first, then the rest
  std::vector<std::string> warnings;  ///< what slows this machine on purpose, and what to do about it

  bool operator==(const FoundHostKind&) const = default;
};

}  // namespace stepgate
