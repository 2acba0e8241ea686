// Costs of places where the first look chooses what the second one runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/repeated_place.h"
#include "judge/studies/call_costs.h"
#include "judge/studies/profile_looks.h"
#include "judge/studies/repeated_block.h"

namespace stepgate {
namespace {

constexpr std::int64_t first_processes = 6;
constexpr std::int64_t further_processes = 10;
/// Blocks of a round beside those of the places: unchanged, and passed twice.
constexpr double other_blocks = 3;

/// Profiles whose places cost what they are said to, with this noise of a block.
class ChosenPlaces {
 public:
  ChosenPlaces(std::vector<double> truths, double noise) : truths_(std::move(truths)), noise_(noise) {
    for (std::size_t i = 0; i < truths_.size(); ++i) {
      places_.push_back({.at = {}, .name = std::to_string(i)});
      places_.back().observed = truths_[i];
    }
  }

  /// Profiles in which any interval does not hold its truth.
  int missed(int profiles) {
    int missed = 0;
    for (int i = 0; i < profiles; ++i) missed += all_hold() ? 0 : 1;
    return missed;
  }

 private:
  bool all_hold() {
    repeats_.replicates.clear();
    std::vector<std::string> all;
    for (const CallCost& place : places_) all.push_back(place.name);
    run_look(all, first_processes);
    const std::vector<CallCost> now = call_costs(places_, {.repeats = repeats_}, {.level = 1 - error_of_look(0, 2)});
    const std::vector<std::string> chosen = places_of_next_look(now);
    if (chosen.empty()) return hold(now);
    run_look(chosen, further_processes);
    return hold(call_costs(places_,
                           {.repeats = repeats_, .first_look = first_processes, .ended = ended_before(now, chosen)},
                           {.level = 1 - error_of_look(1, 2)}));
  }

  bool hold(const std::vector<CallCost>& costs) const {
    return std::ranges::all_of(costs, [&](const CallCost& cost) {
      const double truth = truths_[static_cast<std::size_t>(std::stoi(cost.name))];
      return cost.interval->lower <= truth && truth <= cost.interval->upper;
    });
  }

  void run_look(const std::vector<std::string>& names, std::int64_t processes) {
    const double rounds =
        (other_blocks + static_cast<double>(truths_.size())) / (other_blocks + static_cast<double>(names.size()));
    for (std::int64_t i = 0; i < processes; ++i) {
      Replicate& replicate = repeats_.replicates.emplace_back();
      replicate.group = Group::profile;
      replicate.index = std::ssize(repeats_.replicates) - 1;
      ProfileRun& run = replicate.record.emplace().profile.emplace();
      run.repeats = {repeated_block(unchanged_calls, 1),
                     repeated_block(passed_calls, 1 + drawn(noise_ / std::sqrt(2 * rounds)))};
      for (const std::string& name : names) {
        const double truth = truths_[static_cast<std::size_t>(std::stoi(name))];
        run.repeated_calls[name] = 1;
        run.repeats.push_back(repeated_block(name, 1 + truth + drawn(noise_ / std::sqrt(rounds))));
      }
    }
  }

  double drawn(double deviation) { return deviation * normal_(generator_); }

  std::vector<double> truths_;
  double noise_;
  std::vector<CallCost> places_;
  Measurement repeats_;
  std::mt19937_64 generator_{1};
  std::normal_distribution<double> normal_;
};

/// The claim is 95 %, and Bonferroni keeps more.
TEST(ChosenPlaces, AllIntervalsHoldTogether) {
  constexpr int profiles = 400;
  const std::array cases = {std::vector{0.2, 0.1, 0.06, 0.01, 0.0}, std::vector{0.06, 0.06, 0.06, 0.06},
                            std::vector{0.3, 0.0, 0.0}};
  for (const auto& truths : cases) {
    for (const double noise : {0.01, 0.03}) {
      EXPECT_LE(ChosenPlaces(truths, noise).missed(profiles), 0.05 * profiles) << truths[0] << " " << noise;
    }
  }
}

}  // namespace
}  // namespace stepgate
