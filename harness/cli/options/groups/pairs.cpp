#include "cli/options/groups/pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.h"

namespace stepgate {
namespace {

constexpr double longest_budget_s = 7 * 24 * 3600;

/// Other numbers lie between two interim analyses of the plan: their last pairs could decide nothing.
void need_interim_analysis(std::int64_t pairs, std::string_view command) {
  const auto analyses = interim_analysis_pairs();
  if (std::find(analyses.begin(), analyses.end(), pairs) != analyses.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("--pairs is {}, and {} judges only at certain numbers of pairs", pairs, command),
              fmt::format("give one of: {}", fmt::join(analyses, ", ")));
}

std::optional<Interleave> interleave_named(std::string_view name) {
  if (name == "auto") return Interleave::automatic;
  if (name == "processes") return Interleave::processes;
  return name == "windows" ? std::optional(Interleave::windows) : std::nullopt;
}

}  // namespace

OptionRow pairs_row(std::optional<std::int64_t>& pairs) {
  return {Topic::pairs,
          "pairs",
          "N",
          "",
          "most pairs of a case: 4, 6, 8, 12 or 16 (default 16); for ablate 4 or more (default 12)",
          count_into(pairs, CountRange{.least = 4, .most = 1000})};
}

OptionRow order_seed_row(std::optional<std::uint64_t>& order_seed) {
  return {Topic::pairs,
          "order-seed",
          "N",
          "",
          "seed that draws which side of a pair runs first (default: from the clock; it is reported)",
          seed_into(order_seed)};
}

void need_second_build(const std::filesystem::path& base_build, std::string_view command) {
  if (!base_build.empty()) return;
  throw Error(ErrorKind::usage, "--pairs, --interleave, --order-seed, --budget and --no-explain need a second build",
              fmt::format("add --base-build DIR, or leave them out; {} measures no pairs without it", command));
}

OptionRows rows_of(PairChoice& o, std::string_view command) {
  OptionRow pairs = pairs_row(o.pairs);
  pairs.needs = {[&o, command] { need_interim_analysis(*o.pairs, command); }};
  return {
      std::move(pairs),
      {Topic::pairs, "interleave", "auto|processes|windows", "",
       "order within a pair: one process after the other, or alternating windows of both (default auto: "
       "windows where the case uses one CPU)",
       choice_into(o.interleave, "auto|processes|windows", interleave_named)},
      order_seed_row(o.order_seed),
  };
}

OptionRows rows_of(PairLimits& o) {
  return {
      {Topic::pairs, "budget", "S", "", "start no pair of a case after S seconds (default 0: no limit)",
       seconds_into(o.budget_s, SecondsRange{.zero_too = true, .most_s = longest_budget_s})},
      {Topic::pairs, "no-explain", "", "",
       "do not look for the lines that take the time after a red step time (up to 60 s a case)",
       switch_on(o.no_explain)},
  };
}

PairOptions pair_options(const std::filesystem::path& base_build, const PairChoice& o, const PairLimits& limits) {
  return {.base_build = base_build,
          .most_pairs = o.pairs,
          .interleave = o.interleave,
          .budget_s = limits.budget_s,
          .order_seed = o.order_seed,
          .explain = !limits.no_explain};
}

}  // namespace stepgate
