#include "core/verdict/verdict.h"

#include <array>

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 8> status_names = {"not-judged",  "pass",         "improved",  "skipped",
                                                          "no-baseline", "inconclusive", "regressed", "failed"};

}  // namespace

std::string_view name_of(Status status) { return status_names[static_cast<std::size_t>(status)]; }

std::optional<Status> status_named(std::string_view name) {
  for (std::size_t i = 0; i < status_names.size(); ++i) {
    if (status_names[i] == name) return static_cast<Status>(i);
  }
  return std::nullopt;
}

}  // namespace stepgate
