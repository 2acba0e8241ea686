#include "cli/option_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "judge/interval/pair_plan.h"
#include "judge/rules/trajectory_rule.h"
#include "system/step_count_list.h"

namespace stepgate {
namespace {

std::vector<std::int64_t> interim_analysis_pairs() {
  std::vector<std::int64_t> pairs;
  for (const InterimAnalysis& analysis : default_pair_plan().analyses) pairs.push_back(analysis.pairs);
  return pairs;
}

bool is_interim_analysis(std::int64_t pairs) {
  const auto analyses = interim_analysis_pairs();
  return std::find(analyses.begin(), analyses.end(), pairs) != analyses.end();
}

void check_choice(const char* flag, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  throw Error(ErrorKind::usage, fmt::format("{} does not know '{}'", flag, value),
              fmt::format("one of: {}", fmt::join(allowed, ", ")));
}

void check_positive(const char* flag, const std::optional<std::int64_t>& value) {
  if (value && *value < 1)
    throw Error(ErrorKind::usage, fmt::format("{} is {}, at least 1 is needed", flag, *value),
                "nothing measured is never a pass");
}

void check_seeds(const Options& o) {
  if (o.seed_steps && !o.seeds) {
    throw Error(ErrorKind::usage, "--seed-steps says how long the runs of --seeds are, and there are none",
                "add --seeds 8");
  }
  if (!o.seeds) return;
  if (o.seed_steps && *o.seed_steps < fewest_seed_steps) {
    throw Error(
        ErrorKind::usage, fmt::format("--seed-steps is {}", *o.seed_steps),
        fmt::format("{} or more: the end of shorter runs is what is compared step by step anyway", fewest_seed_steps));
  }
  if (*o.seeds < static_cast<std::int64_t>(fewest_seeds)) {
    throw Error(ErrorKind::usage, fmt::format("--seeds is {}", *o.seeds),
                fmt::format("{} or more: fewer say nothing about how much runs of one build differ", fewest_seeds));
  }
  if (o.tier == "timed") {
    throw Error(ErrorKind::usage, "--seeds compares losses, and --tier timed measures none",
                "leave out --tier, or ask for --tier exact");
  }
}

}  // namespace

void check_options(const Options& o) {
  check_choice("--tier", o.tier, {"exact", "timed", "all"});
  check_choice("--guard", o.guard, {"observe", "process", "host"});
  check_choice("--interleave", o.interleave, {"auto", "processes", "windows"});
  check_choice("--color", o.color, {"auto", "always", "never"});
  if (!o.malloc_policy.empty()) check_choice("--malloc", o.malloc_policy, {"tuned", "system"});
  check_positive("--replicates", o.replicates);
  check_positive("--exact-replicates", o.exact_replicates);
  check_positive("--threads", o.threads);
  if (!(o.budget_s >= 0))
    throw Error(ErrorKind::usage, "--budget must be 0 (none) or more seconds", "e.g. --budget 600");
  if (o.timeout_s && !(*o.timeout_s > 0))
    throw Error(ErrorKind::usage, "--timeout must be above 0 s", "e.g. --timeout 300");
  // Other numbers lie between two interim analyses of the plan: their last pairs could decide nothing.
  check_positive("--gpu-clock", o.gpu_clock);
  check_positive("--gpu-memory-clock", o.gpu_memory_clock);
  if ((o.gpu_clock || o.gpu_memory_clock) && o.guard != "host")
    throw Error(ErrorKind::usage, "a GPU's clock is locked with --guard host only", "add --guard host");
  if (o.pairs && o.command == "ablate" && *o.pairs < 4)
    throw Error(ErrorKind::usage, fmt::format("--pairs is {}: a spread needs at least 4", *o.pairs), "e.g. --pairs 12");
  if (o.pairs && o.command != "ablate" && !is_interim_analysis(*o.pairs))
    throw Error(ErrorKind::usage, fmt::format("--pairs is {}", *o.pairs),
                fmt::format("the plan has interim analyses at {} pairs", fmt::join(interim_analysis_pairs(), ", ")));
  check_seeds(o);
  if (o.ledger && o.json)
    throw Error(ErrorKind::usage, "--ledger is a table for people, and --json asks for a document",
                "the ledger stands in each case's measurement.json, below memory");
  if (!o.steps.empty()) read_step_counts(o.steps, "--steps");
}

}  // namespace stepgate
