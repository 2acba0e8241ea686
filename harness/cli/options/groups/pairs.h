// How pairs of two builds are measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/options/option_row.h"
#include "experiment/pairs/pair_options.h"

namespace stepgate {

OptionRow pairs_row(std::optional<std::int64_t>& pairs);
OptionRow order_seed_row(std::optional<std::uint64_t>& order_seed);

/// Throws Error(usage) without a second build, for a command that may measure one build alone.
void need_second_build(const std::filesystem::path& base_build, std::string_view command);

/// The commands that judge pairs.
struct PairChoice {
  std::optional<std::int64_t> pairs;  ///< most pairs of a case
  Interleave interleave = Interleave::automatic;
  std::optional<std::uint64_t> order_seed;  ///< draws the side that runs first; from the clock if absent
};
OptionRows rows_of(PairChoice& o, std::string_view command);

/// The commands that judge pairs as they measure them.
struct PairLimits {
  double budget_s = 0;      ///< seconds of pairs a case may take, 0 = no limit
  bool no_explain = false;  ///< no search for the lines that take the time after a red
};
OptionRows rows_of(PairLimits& o);

PairOptions pair_options(const std::filesystem::path& base_build, const PairChoice& o, const PairLimits& limits);

}  // namespace stepgate
