#include "judge/studies/profile_looks.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

constexpr double all_looks = 0.05;
constexpr std::array two_looks = {0.01, 0.04};
constexpr std::array four_looks = {0.01, 0.02, 0.01, 0.01};

bool matters(const ExperimentResult& result, double least_gain) {
  if (row_of(result.experiment).shows == Bottleneck::input) return true;
  return least_gain <= 0 || result.effect.value_or(0) >= least_gain;
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

bool is_another_look_worth_it(const std::vector<ExperimentResult>& now,
                              const std::vector<ExperimentResult>& at_next_look, const FurtherProcesses& further) {
  for (std::size_t i = 0; i < now.size() && i < at_next_look.size(); ++i) {
    const bool is_open = row_of(now[i].experiment).arrangement == Arrangement::block && now[i].effect &&
                         now[i].proof == Proof::undecided;
    if (is_open && matters(now[i], further.least_gain) && would_be_decided(at_next_look[i], further.most)) return true;
  }
  return false;
}

}  // namespace stepgate
