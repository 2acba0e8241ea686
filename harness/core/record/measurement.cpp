#include "core/record/measurement.h"

#include <array>

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 14> failure_names = {
    "crashed",        "timed_out",   "exited_nonzero", "no_record",    "bad_record",    "wrong_case",
    "not_started",    "interrupted", "unavailable",    "too_few_gpus", "gpu_too_small", "program_changed_setting",
    "infrastructure", "needs_values"};

}  // namespace

std::string_view name_of(FailureKind kind) { return failure_names[static_cast<std::size_t>(kind)]; }

std::optional<FailureKind> failure_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < failure_names.size(); ++i) {
    if (failure_names[i] == name) return static_cast<FailureKind>(i);
  }
  return std::nullopt;
}

}  // namespace stepgate
