#include "judge/interval/pair_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace stepgate {
namespace {

/// Tolerance for sums of a few decimal fractions; far above rounding errors, far below any useful weight.
constexpr double rounding = 1e-9;

void require(bool holds, const std::string& message) {
  if (holds) return;
  throw Error(ErrorKind::usage, "plan of pairs: " + message, "use the default plan 4/6/8/12/16 or one fixed count");
}

}  // namespace

PairPlan default_pair_plan() {
  return {{{.pairs = 4, .pass_weight = 0.05, .red_weight = 0},
           {.pairs = 6, .pass_weight = 0.10, .red_weight = 0},
           {.pairs = 8, .pass_weight = 0.20, .red_weight = 0.2},
           {.pairs = 12, .pass_weight = 0.25, .red_weight = 0.3},
           {.pairs = 16, .pass_weight = 0.40, .red_weight = 0.5}}};
}

PairPlan following_pair_plan() {
  return {{{.pairs = 4, .pass_weight = 0.50, .red_weight = 0},
           {.pairs = 6, .pass_weight = 0.20, .red_weight = 0},
           {.pairs = 8, .pass_weight = 0.15, .red_weight = 0.2},
           {.pairs = 12, .pass_weight = 0.10, .red_weight = 0.3},
           {.pairs = 16, .pass_weight = 0.05, .red_weight = 0.5}}};
}

PairPlan pair_plan_up_to(std::int64_t pairs, PairPlan plan) {
  if (plan.analyses.empty() || plan.analyses.front().pairs > pairs) return plan;
  std::erase_if(plan.analyses, [&](const InterimAnalysis& analysis) { return analysis.pairs > pairs; });
  double pass = 0;
  double red = 0;
  for (const InterimAnalysis& analysis : plan.analyses) {
    pass += analysis.pass_weight;
    red += analysis.red_weight;
  }
  for (InterimAnalysis& analysis : plan.analyses) {
    analysis.pass_weight /= pass;
    if (red > 0) analysis.red_weight /= red;
  }
  return plan;
}

PairPlan fixed_pair_plan(std::int64_t pairs) { return {{{.pairs = pairs, .pass_weight = 1, .red_weight = 1}}}; }

void check_pair_plan(const PairPlan& plan) {
  require(!plan.analyses.empty(), "there is no interim analysis");
  double pass = 0;
  double red = 0;
  std::int64_t before = 1;  // one pair has no spread
  for (const InterimAnalysis& analysis : plan.analyses) {
    require(analysis.pairs > before,
            fmt::format("an interim analysis at {} pairs does not follow one at {}", analysis.pairs, before));
    require(analysis.pass_weight >= 0 && analysis.red_weight >= 0,
            fmt::format("a weight of the interim analysis at {} pairs is negative", analysis.pairs));
    before = analysis.pairs;
    pass += analysis.pass_weight;
    red += analysis.red_weight;
  }
  require(std::abs(pass - 1) < rounding, fmt::format("the weights for pass sum to {}, not to 1", pass));
  require(red == 0 || std::abs(red - 1) < rounding, fmt::format("the weights for regressed sum to {}, not to 1", red));
}

std::int64_t first_red_analysis(const PairPlan& plan) {
  const auto first = std::find_if(plan.analyses.begin(), plan.analyses.end(),
                                  [](const InterimAnalysis& analysis) { return analysis.red_weight > 0; });
  return first == plan.analyses.end() ? 0 : first->pairs;
}

std::int64_t most_pairs(const PairPlan& plan) { return plan.analyses.empty() ? 0 : plan.analyses.back().pairs; }

std::int64_t most_tries(std::int64_t most_pairs) { return most_pairs + std::max(fewest_replacements, most_pairs / 2); }

bool taint_leaves_no_interim_analysis(std::int64_t most_pairs, const PairCount& so_far) {
  if (so_far.clean + so_far.clean_control == 0 && so_far.processes >= hopeless_processes) return true;
  const std::int64_t needed = std::min(default_pair_plan().analyses.front().pairs, most_pairs);
  if (so_far.measured < std::max({needed, most_pairs / 2, 1 + fewest_replacements})) return false;
  return so_far.clean * most_tries(most_pairs) < needed * so_far.measured;
}

std::optional<InterimAnalysis> next_interim_analysis(const PairPlan& plan, std::int64_t pairs) {
  for (const InterimAnalysis& analysis : plan.analyses) {
    if (analysis.pairs > pairs) return analysis;
  }
  return std::nullopt;
}

}  // namespace stepgate
