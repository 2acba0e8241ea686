// What else explains a time that an experiment or an observation gives to one kind of bottleneck: the boundaries around
// the model, host code between operators, operators that compute, the loader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/profile/kind_facts.h"

namespace stepgate {

struct OtherCause {
  std::string_view what;
  double share = 0;  ///< of the step
};

/// Shares of the step in forward, backward and the boundaries that a loop named itself.
struct ModelShares {
  double calls = 0;      ///< operators that are mostly the price of a call
  double computing = 0;  ///< all other operators
  double bandwidth = 0;  ///< those of them below the ridge
  double host_code = 0;  ///< host time between operators
};
ModelShares model_shares(const KindFacts& facts);

/// What may stay as it is while the batch is doubled, calls apart. Of the boundaries around the model what they were
/// measured to keep: 2 t - t2, which is negative where a boundary more than doubles. Of the rest all of it, because
/// no experiment tells how it grows.
std::vector<OtherCause> other_fixed_causes(const KindFacts& facts);

/// What else the host does while a device may have nothing to do.
std::vector<OtherCause> other_host_causes(const KindFacts& facts);

/// What else twice the threads may shorten: half of what computes elsewhere, and the wait for a loader that gets CPUs.
std::vector<OtherCause> other_threaded_causes(const KindFacts& facts);

double sum_of(const std::vector<OtherCause>& causes);

/// "; of it at most data wait 60.1 %, logging 4.0 %": largest first, from 1 % of the step on; "" for none.
std::string causes_text(std::vector<OtherCause> causes);

/// The most that a faster step can win before it waits for the loader: 1 - time of a batch that is loaded alone / step.
/// Absent where no batch was loaded alone.
std::optional<double> loader_slack(const KindFacts& facts);

/// True where the step's own thread loads: it waits for about as long as a batch takes alone, and for more than that it
/// does something else. A loader beside the step shows one of the two: it is hidden, or the step waits for nothing
/// else.
bool loads_on_the_step(const KindFacts& facts);

/// A share that was measured without the loader, or says nothing about it: at most the slack.
Share within_slack(const KindFacts& facts, Share share);

}  // namespace stepgate
