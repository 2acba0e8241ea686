// The boundaries of a training step. stepgate measures times, memory and work for each of them. A loop of your own may
// name further ones (StepMarks::boundary() in step_marks.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stepgate {

/// In the order in which they run inside one step. own_boundary() gives the values of those that a loop names itself.
enum class Boundary : unsigned char { data_wait, h2d, forward, backward, optimizer, logging };

struct BoundaryRow {
  Boundary boundary;
  std::string_view name;    ///< in records, baselines and findings
  std::string_view metric;  ///< its time
  std::string_view label;   ///< name of that metric in reports
  std::string_view mark;    ///< the call of StepMarks that ends it
  bool in_every_step;       ///< false: only in steps that say so
};

/// In the order of Boundary. A new boundary is a row here, and the action that runs it.
inline constexpr std::array boundary_table = {
    BoundaryRow{Boundary::data_wait, "data_wait", "data_wait_ns", "data wait", "loaded", true},
    BoundaryRow{Boundary::h2d, "h2d", "h2d_ns", "host-to-device copy", "copied", true},
    BoundaryRow{Boundary::forward, "forward", "forward_ns", "forward", "forward_done", true},
    BoundaryRow{Boundary::backward, "backward", "backward_ns", "backward", "backward_done", true},
    BoundaryRow{Boundary::optimizer, "optimizer", "optimizer_ns", "optimizer", "optimizer_done", true},
    BoundaryRow{Boundary::logging, "logging", "logging_ns", "logging", "next_step", true},
};
inline constexpr std::size_t boundary_count = boundary_table.size();

inline constexpr std::array<Boundary, boundary_count> all_boundaries = [] {
  std::array<Boundary, boundary_count> all{};
  for (std::size_t i = 0; i < boundary_count; ++i) all[i] = boundary_table[i].boundary;
  return all;
}();
static_assert(
    [] {
      for (std::size_t i = 0; i < boundary_count; ++i) {
        if (static_cast<std::size_t>(boundary_table[i].boundary) != i) return false;
      }
      return true;
    }(),
    "boundary_table lists the boundaries in the order of enum Boundary");

/// How many boundaries a loop may name itself.
inline constexpr std::size_t max_own_boundaries = 8;
/// One for each boundary of the table and each that a loop may name: the length of arrays indexed by Boundary.
inline constexpr std::size_t boundary_slots = boundary_count + max_own_boundaries;
/// Characters of such a name.
inline constexpr std::size_t max_boundary_name = 32;

/// The boundary number `index`, below max_own_boundaries, of those that the loop names itself.
constexpr Boundary own_boundary(std::size_t index) { return static_cast<Boundary>(boundary_count + index); }
constexpr bool is_own(Boundary boundary) { return static_cast<std::size_t>(boundary) >= boundary_count; }

/// The row of a boundary of the table; core/step_boundaries.h has the names of the others.
constexpr const BoundaryRow& row_of(Boundary boundary) { return boundary_table[static_cast<std::size_t>(boundary)]; }
constexpr std::string_view name_of(Boundary boundary) { return row_of(boundary).name; }

constexpr std::optional<Boundary> boundary_named(std::string_view name) {
  for (const BoundaryRow& row : boundary_table) {
    if (row.name == name) return row.boundary;
  }
  return std::nullopt;
}

/// Why a loop cannot name a boundary or a loss like this; "" where it can.
constexpr std::string_view refused_boundary_name(std::string_view name) {
  if (name.empty()) return "a name is missing";
  if (name.size() > max_boundary_name) return "a name has at most 32 characters";
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
  if (!plain) return "a name has lower case letters, digits and underscores only";
  if (boundary_named(name)) return "a boundary of stepgate has this name";
  return "";
}

}  // namespace stepgate
