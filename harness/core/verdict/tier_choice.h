// Which half of a case is measured and judged.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace stepgate {

/// `exact` stands for the tiers exact, bytes and numeric, which need no quiet machine.
enum class TierChoice { exact, timed, all };

constexpr std::string_view name_of(TierChoice choice) {
  constexpr std::array<std::string_view, 3> names = {"exact", "timed", "all"};
  return names[static_cast<std::size_t>(choice)];
}
constexpr std::optional<TierChoice> tier_choice_named(std::string_view name) {
  for (TierChoice choice : {TierChoice::exact, TierChoice::timed, TierChoice::all}) {
    if (name_of(choice) == name) return choice;
  }
  return std::nullopt;
}

constexpr bool wants_exact(TierChoice choice) { return choice != TierChoice::timed; }
constexpr bool wants_timed(TierChoice choice) { return choice != TierChoice::exact; }

}  // namespace stepgate
