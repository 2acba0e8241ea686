// How much a finding says about the status of its case, and how loud a notice is.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace stepgate {

/// From the least telling to the most.
enum class Severity { note, warning, cause };

constexpr std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> names = {"note", "warning", "cause"};
  return names[static_cast<std::size_t>(severity)];
}

}  // namespace stepgate
