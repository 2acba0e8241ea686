#include "cli/options/pair_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.h"
#include "experiment/pairs/pair_options.h"

namespace stepgate {
namespace {

constexpr std::string_view paired = "gate, ab";
constexpr std::string_view in_pairs = "gate, ab, plan ab, ablate";
constexpr std::string_view in_drawn_order = "gate, ab, plan ab, profile, ablate";
constexpr double longest_budget_s = 7 * 24 * 3600;

void need_second_build(const Options& o) {
  const bool may_measure_one = o.command == "gate" || o.command == "profile";
  if (!may_measure_one || !o.base_build.empty()) return;
  throw Error(ErrorKind::usage, "--pairs, --interleave, --order-seed, --budget and --no-explain need a second build",
              fmt::format("add --base-build DIR, or leave them out; {} measures no pairs without it", o.command));
}

/// Other numbers lie between two interim analyses of the plan: their last pairs could decide nothing.
void need_interim_analysis(const Options& o) {
  need_second_build(o);
  const auto analyses = interim_analysis_pairs();
  if (o.command == "ablate" || std::find(analyses.begin(), analyses.end(), *o.pairs) != analyses.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("--pairs is {}, and {} judges only at certain numbers of pairs", *o.pairs, o.command),
              fmt::format("give one of: {}", fmt::join(analyses, ", ")));
}

void need_losses(const Options& o) {
  if (o.tier != "timed") return;
  throw Error(ErrorKind::usage, "--seeds compares losses, and --tier timed measures none",
              "leave out --tier, or give --tier exact");
}

void need_seeds(const Options& o) {
  if (o.seeds) return;
  throw Error(ErrorKind::usage, "--seed-steps has no effect without --seeds", "add --seeds 8");
}

void refuse_json_of_law(const Options& o) {
  if (!o.json) return;
  throw Error(ErrorKind::usage, "--law writes no JSON", "leave out --json: the run records hold every value");
}

void need_law(const Options& o) {
  if (!o.law.empty()) return;
  throw Error(ErrorKind::usage, "--memory and --most-growth have no effect without --law", "add --law saved_bytes");
}

/// More than any machine has.
constexpr std::int64_t most_memory_bytes = 1'000'000'000'000'000;

}  // namespace

std::vector<OptionRow> pair_rows() {
  return {
      OptionRow{"pairs", "N", "", in_pairs,
                "most pairs of a case: 4, 6, 8, 12 or 16 (default 16); for ablate 4 or more (default 12)",
                count_into(&Options::pairs, CountRange{.least = 4, .most = 1000}), need_interim_analysis},
      OptionRow{"interleave", "auto|processes|windows", "", "gate, ab, plan ab",
                "order within a pair: one process after the other, or alternating windows of both (default auto: "
                "windows where the case uses one CPU)",
                choice_into(&Options::interleave, "auto|processes|windows"), need_second_build},
      OptionRow{"order-seed", "N", "", in_drawn_order,
                "seed that draws which side of a pair runs first (default: from the clock; it is reported)",
                seed_into(&Options::order_seed), need_second_build},
      OptionRow{"budget", "S", "", paired, "start no pair of a case after S seconds (default 0: no limit)",
                seconds_into(&Options::budget_s, SecondsRange{.zero_too = true, .most_s = longest_budget_s}),
                need_second_build},
      OptionRow{"no-explain", "", "", paired,
                "do not look for the lines that take the time after a red step time (up to 60 s a case)",
                switch_on(&Options::no_explain), need_second_build},
      OptionRow{"seeds", "N", "", "ab", "also train both builds from N seeds and compare their final losses",
                count_into(&Options::seeds, CountRange{.least = fewest_training_seeds(), .most = 1000}), need_losses},
      OptionRow{"seed-steps", "N", "", "ab", "with --seeds: steps of each of these runs (default 200)",
                count_into(&Options::seed_steps, CountRange{.least = fewest_training_steps(), .most = 1'000'000}),
                need_seeds},
      OptionRow{"vary", "NAME=A,B,...", "", "sweep, plan sweep",
                "values of a parameter (or of threads); may be repeated",
                texts_into(&Options::vary, "a name and its values, e.g. batch_size=4,8,16")},
      OptionRow{"metric", "NAME", "", "sweep, plan sweep, history show, history check, history plot, history export",
                "metric that settings are ranked by (default samples_per_s), or that a history shows",
                text_into(&Options::metric, "the name of a timed metric, e.g. samples_per_s")},
      OptionRow{"law", "saved_bytes", "", "sweep",
                "instead of a ranking: how the bytes saved for backward grow with length, exactly",
                choice_into(&Options::law, "saved_bytes"), refuse_json_of_law},
      OptionRow{"memory", "BYTES", "", "sweep", "with --law: the largest batch whose saved bytes fit in so much",
                count_into(&Options::memory_bytes, CountRange{.least = 1, .most = most_memory_bytes}), need_law},
      OptionRow{"most-growth", "N", "", "sweep",
                "with --law: exit status 1 where saved bytes per token grow by more than N per token of length",
                count_into(&Options::most_growth, CountRange{.least = 0, .most = most_memory_bytes}), need_law},
  };
}

}  // namespace stepgate
