// What a process of group profile runs.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace stepgate {

enum class ProfileParts {
  all,
  observe,      ///< no experiments, peaks, replays and trace
  experiments,  ///< these alone: for processes that are there to decide what earlier ones left open
  repeats       ///< the calls of some places twice: core/repeated_place.h
};
inline constexpr std::array<ProfileParts, 4> all_profile_parts = {ProfileParts::all, ProfileParts::observe,
                                                                  ProfileParts::experiments, ProfileParts::repeats};

/// The name as --stepgate_profile of a perftest takes it.
constexpr std::string_view name_of(ProfileParts parts) {
  constexpr std::array<std::string_view, 4> names = {"all", "observe", "experiments", "repeats"};
  return names[static_cast<std::size_t>(parts)];
}

constexpr std::optional<ProfileParts> profile_parts_named(std::string_view name) {
  for (ProfileParts parts : all_profile_parts) {
    if (name_of(parts) == name) return parts;
  }
  return std::nullopt;
}

}  // namespace stepgate
