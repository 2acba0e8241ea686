// The looks of one profile at its experiments: what is known after each, and what further processes run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/profile/step/profile_input.h"
#include "experiment/studies/profiled/profile_options.h"

namespace stepgate {

/// `options` and `input` must outlive it. Reads `input` as it is at each call: its processes of group profile join it
/// look by look.
class ExperimentLooks {
 public:
  ExperimentLooks(const ProfileOptions& options, const ProfileInput& input) : options_(options), input_(input) {}

  /// Why an experiment in processes of its own could not run.
  void leave_out(Experiment experiment, std::string why) { absent_[experiment] = std::move(why); }

  /// What the last look shows. An experiment that only earlier processes ran has the result of the look in which it
  /// ended, with the level of that look.
  std::vector<ExperimentResult> results() const { return results_at(look_); }

  /// What further processes are worth running, in the order of the table; none where this was the last look.
  std::vector<Experiment> next_experiments() const;

  /// Begins the next look. All other experiments have ended. Call it before the further processes join the input.
  void go_on_with(const std::vector<Experiment>& chosen);

 private:
  std::vector<ExperimentResult> results_at(std::size_t look) const;
  std::vector<ExperimentResult> decided_at(std::size_t look) const;

  const ProfileOptions& options_;
  const ProfileInput& input_;
  std::map<Experiment, std::string> absent_;
  std::vector<ExperimentResult> ended_;
  std::size_t look_ = 0;  ///< the first, the second, ...
  /// Processes of group profile with a smaller index are of the first look.
  std::int64_t first_look_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace stepgate
