// The kinds of results: a half of the gate against stored baselines, pairs of two builds, or two measurements.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/verdict/tier_choice.h"

namespace stepgate {

/// What a result was compared with.
enum class ReferenceKind { stored, pairs, measurement };

struct ResultKind {
  TierChoice half = TierChoice::all;  ///< pairs: always `all`, since one result holds whatever was measured
  ReferenceKind reference = ReferenceKind::stored;

  bool operator==(const ResultKind&) const = default;
};

inline constexpr ResultKind whole_gate{};
inline constexpr ResultKind result_of_pairs{TierChoice::all, ReferenceKind::pairs};

struct NamedResultKind {
  ResultKind kind;
  std::string_view name;
};

/// The name is the folder of the result, its "group" in verdict.json and what a report shows.
inline constexpr std::array<NamedResultKind, 7> named_result_kinds = {{
    {{TierChoice::exact, ReferenceKind::stored}, "exact"},
    {{TierChoice::timed, ReferenceKind::stored}, "timed"},
    {whole_gate, "all"},
    {result_of_pairs, "ab"},
    {{TierChoice::exact, ReferenceKind::measurement}, "compare-exact"},
    {{TierChoice::timed, ReferenceKind::measurement}, "compare-timed"},
    {{TierChoice::all, ReferenceKind::measurement}, "compare"},
}};

constexpr std::string_view name_of(const ResultKind& kind) {
  for (const NamedResultKind& row : named_result_kinds) {
    if (row.kind == kind) return row.name;
  }
  return "ab";
}

constexpr std::optional<ResultKind> result_kind_named(std::string_view name) {
  for (const NamedResultKind& row : named_result_kinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

}  // namespace stepgate
