// The boundaries of a training step. stepgate measures times, memory and work for each of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stepgate {

/// In the order in which they run inside one step.
enum class Boundary { data_wait, h2d, forward, backward, optimizer, logging };

inline constexpr std::array<Boundary, 6> all_boundaries = {Boundary::data_wait, Boundary::h2d,       Boundary::forward,
                                                           Boundary::backward,  Boundary::optimizer, Boundary::logging};
inline constexpr std::size_t boundary_count = all_boundaries.size();

constexpr std::string_view name_of(Boundary boundary) {
  constexpr std::array<std::string_view, boundary_count> names = {"data_wait", "h2d",       "forward",
                                                                  "backward",  "optimizer", "logging"};
  return names[static_cast<std::size_t>(boundary)];
}

constexpr std::optional<Boundary> boundary_named(std::string_view name) {
  for (Boundary boundary : all_boundaries) {
    if (name_of(boundary) == name) return boundary;
  }
  return std::nullopt;
}

}  // namespace stepgate
