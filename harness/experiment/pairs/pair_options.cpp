#include "experiment/pairs/pair_options.h"

#include "judge/interval/pair_plan.h"
#include "judge/rules/trajectory_rule.h"

namespace stepgate {

std::vector<std::int64_t> interim_analysis_pairs() {
  std::vector<std::int64_t> pairs;
  for (const InterimAnalysis& analysis : default_pair_plan().analyses) pairs.push_back(analysis.pairs);
  return pairs;
}

std::int64_t fewest_training_seeds() { return static_cast<std::int64_t>(fewest_seeds); }
std::int64_t fewest_training_steps() { return fewest_seed_steps; }

}  // namespace stepgate
