#include "judge/studies/profile_looks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace stepgate {
namespace {

constexpr double all_looks = 0.05;
constexpr std::array two_looks = {0.01, 0.04};
constexpr std::array four_looks = {0.01, 0.02, 0.01, 0.01};

/// Own choice: from here on the bias of a rebuilt program, on both sides, takes at most half of that width. Smaller
/// gains leave so little room for scatter that four more processes seldom end it.
constexpr double least_gain_to_narrow = 4 * rebuilt_bias / widest_told;

bool matters(const ExperimentResult& result, double least_gain) {
  if (row_of(result.experiment).shows == Bottleneck::input) return true;
  return least_gain <= 0 || result.effect.value_or(0) >= least_gain;
}

bool is_open(const ExperimentResult& result) {
  return row_of(result.experiment).arrangement == Arrangement::block && result.effect &&
         result.proof == Proof::undecided;
}

bool would_be_decided(const ExperimentResult& at_next_look, std::int64_t most_further) {
  if (at_next_look.proof != Proof::undecided) return true;
  return at_next_look.more_processes && *at_next_look.more_processes <= most_further;
}

}  // namespace

double error_of_look(std::size_t look, std::size_t looks) {
  if (looks <= 1) return all_looks;
  if (looks == two_looks.size()) return two_looks.at(std::min(look, two_looks.size() - 1));
  return four_looks.at(std::min(look, four_looks.size() - 1));
}

bool is_told_too_widely(const ExperimentResult& result) {
  const ExperimentRow& row = row_of(result.experiment);
  const bool is_shown = row.arrangement == Arrangement::block && row.effect == Effect::gain &&
                        result.proof == Proof::proven && result.effect && result.interval;
  if (!is_shown) return false;
  const Interval told = gain_of_mend(*result.interval);
  return told.upper - told.lower > widest_told * *result.effect;
}

bool is_another_look_worth_it(const std::vector<ExperimentResult>& now,
                              const std::vector<ExperimentResult>& at_next_look, const FurtherProcesses& further) {
  for (std::size_t i = 0; i < now.size() && i < at_next_look.size(); ++i) {
    if (is_told_too_widely(now[i]) && *now[i].effect >= std::max(further.least_gain, least_gain_to_narrow)) return true;
    if (!is_open(now[i]) || !matters(now[i], further.least_gain)) continue;
    if (would_be_decided(at_next_look[i], further.most)) return true;
  }
  return false;
}

std::vector<Experiment> experiments_of_next_look(const std::vector<ExperimentResult>& now, double least_gain) {
  std::set<Experiment> chosen;
  for (const ExperimentResult& result : now) {
    const bool goes_on =
        is_open(result) ? matters(result, least_gain) : is_told_too_widely(result) && *result.effect >= least_gain;
    if (!goes_on) continue;
    chosen.insert(result.experiment);
    if (const auto beside = row_of(result.experiment).compared_with) chosen.insert(*beside);
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<ExperimentResult> ended_before(std::vector<ExperimentResult> results,
                                           const std::vector<Experiment>& chosen) {
  std::erase_if(results, [&](const ExperimentResult& result) {
    const bool in_blocks = row_of(result.experiment).arrangement == Arrangement::block;
    return !in_blocks || !result.effect || std::ranges::find(chosen, result.experiment) != chosen.end();
  });
  return results;
}

}  // namespace stepgate
