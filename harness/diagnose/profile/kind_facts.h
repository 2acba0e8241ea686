// What the verdicts on single kinds of bottleneck are made from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/study/profile.h"
#include "diagnose/profile/kind_input.h"
#include "diagnose/profile/step/account.h"
#include "diagnose/profile/step/step_means.h"

namespace stepgate {

/// A share of the step with its interval.
struct Share {
  double value = 0;
  Interval interval;
};

struct KindFacts {
  const ProfileInput& input;
  const Profile& profile;
  Records timed;          ///< clean processes of the unchanged case
  Records doubled_batch;  ///< those with twice the batch; empty where none ran
  bool gpu = false;
  /// Share of the model's operators by the host, where the table has the device's times.
  std::optional<double> host_operators = std::nullopt;
  double margin = 0.01;
  SideShares sides;
  std::optional<Interval> idle = std::nullopt;         ///< share of the step in which the device idles; 95 %
  std::optional<double> host_syncs = std::nullopt;     ///< per step, with device syncs; absent if not counted
  std::optional<double> exchange_wait = std::nullopt;  ///< share of the step; absent with a single rank

  /// The result of an experiment that has an effect; null otherwise.
  const ExperimentResult* run(Experiment experiment) const;
  bool has_host_times() const { return profile.operator_times == OperatorTimes::host; }
  double share(std::string_view part) const { return share_of_part(profile.account, part); }
  /// Share of a boundary of the step, by the phase pass.
  double component(Boundary boundary) const;
  /// Share of its host time in the e2e pass, in which nothing is synchronised at boundaries.
  double host_share(Boundary boundary) const;
  /// What of that share stays while the batch is doubled, (2 t - t2) / T; all of it where no doubled batch ran.
  double fixed_share(Boundary boundary) const;
};

KindFacts kind_facts(const KindInput& input);

/// "33.1 % [32.4 %, 33.9 %] shorter" for a gain of 0.331; for one of -0.16 "16.0 % [-2.0 %, 34.0 %] longer".
std::string shorter_text(double gain, const Interval& interval);
/// "33.1 % [32.4 %, 33.9 %]"
std::string share_with_interval(double share, const Interval& interval);
/// "0.97 [0.89, 1.03]"
std::string number_with_interval(double value, const Interval& interval);
/// "; 3 more processes would decide"; "" where nothing is known.
std::string processes_text(const ExperimentResult& result);

}  // namespace stepgate
