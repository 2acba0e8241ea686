// The effect of each knob on the noise of one case on one host: pairs of processes with and without the knob, and the
// recommendation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/host/ablated_name.h"
#include "core/host/knob.h"
#include "core/record/fingerprint.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// One fresh process.
struct AblationSide {
  double step_time_ns = 0;              ///< median of its steps
  std::optional<double> within_spread;  ///< spread of its steps, relative: 1.4826 * median absolute deviation / median
};

/// Two processes measured right after each other that differ only in the knob.
struct AblationPair {
  AblationSide with;
  AblationSide without;
  bool with_first = false;  ///< the order drawn for this pair
};

enum class Recommendation {
  use,          ///< it makes steps scatter less from process to process
  avoid,        ///< it makes them scatter more, or slows them for no gain
  undecided,    ///< too few pairs to tell
  indifferent,  ///< an effect that matters is ruled out
};
inline constexpr std::array<Recommendation, 4> all_recommendations = {
    Recommendation::use, Recommendation::avoid, Recommendation::undecided, Recommendation::indifferent};

constexpr std::string_view name_of(Recommendation recommendation) {
  constexpr std::array<std::string_view, 4> names = {"use", "avoid", "undecided", "indifferent"};
  return names[static_cast<std::size_t>(recommendation)];
}
constexpr std::optional<Recommendation> recommendation_named(std::string_view name) {
  for (Recommendation recommendation : all_recommendations) {
    if (name_of(recommendation) == name) return recommendation;
  }
  return std::nullopt;
}

/// The result of one knob's pairs; absent if there are too few. Spreads and shifts are relative: 0.02 is 2 %.
struct KnobEffect {
  std::optional<double> spread_with;       ///< between processes: standard deviation of ln step time
  std::optional<double> spread_without;    ///< the same without the knob
  std::optional<double> ratio;             ///< spread_with / spread_without
  std::optional<Interval> ratio_interval;  ///< two bounds of the ratio itself: below 1 is quieter
  std::optional<double> shift;             ///< change of the step time with the knob: positive is slower
  std::optional<Interval> shift_interval;
  std::optional<double> within_with;     ///< inside a process: median of within_spread over the processes
  std::optional<double> within_without;  ///< the same without the knob
  Recommendation recommendation = Recommendation::undecided;
  std::string reason;                           ///< one sentence, without the knob's name
  std::optional<std::int64_t> pairs_to_decide;  ///< undecided: total pairs needed if the ratio stays the same
};

struct AblatedKnob {
  KnobReport knob;  ///< on the side with the knob; denied, unsupported and overridden knobs have no effect
  std::vector<AblationPair> pairs = {};  ///< clean ones, in the order measured
  std::int64_t tainted_pairs = 0;        ///< discarded for interference
  std::string failure = {};              ///< why there are no more pairs, one sentence; "" where nothing failed
  KnobEffect effect = {};
};

struct Ablation {
  std::string case_name;
  std::string runner_class;
  std::string utc;  ///< start
  std::string commit;
  std::uint64_t seed = 0;  ///< for data, weights and the order in the pairs
  std::int64_t pairs = 0;  ///< planned for each knob
  double level = 0.95;     ///< level of each single interval
  bool interrupted = false;
  double seconds = 0;  ///< how long it took
  Fingerprint host;
  std::vector<AblatedKnob> knobs;
  std::string recommended;  ///< options for run, gate and ab; "" if the defaults are right
};

}  // namespace stepgate
