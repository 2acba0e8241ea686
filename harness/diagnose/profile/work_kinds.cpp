// Kinds of the computation itself: compute, bandwidth, inefficient operators.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/profile/kind_answers.h"
#include "diagnose/profile/other_causes.h"
#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

/// Own choice, after the habit to call a kernel compute-bound from 60 % of its speed of light on.
constexpr double side_screen = 0.60;
/// Less of the step cannot be told from what a thief takes besides bandwidth, a shared cache for one; XProf's 3 %.
constexpr double least_bandwidth_share = 0.03;
/// Own choice: one operator of 10 % of the step at less than 30 % of its roof has 7 % to win.
constexpr double large_operator = 0.10;
constexpr double inefficient = 0.30;

/// The largest operator, by (operator, sizes), that is far from its roof; null if there is none.
const OperatorRow* inefficient_operator(const Profile& profile) {
  for (const OperatorRow& row : profile.operators) {
    const bool large = row.self_ns > large_operator * profile.step.mean_ns;
    if (large && !row.overhead && row.roof_ns > 0 && row.efficiency < inefficient) return &row;
  }
  return nullptr;
}

std::int64_t peak_bytes_of(const Profile& profile) { return profile.memory ? profile.memory->peak_bytes : 0; }

std::string replay_text(const ExperimentResult& replay) {
  return fmt::format("{}, -{} of the step", replay.remark, share_text(*replay.effect));
}

}  // namespace

KindAnswer compute_limits(const KindFacts& facts) {
  const double share = facts.gpu ? facts.share("device-busy") : facts.sides.compute;
  const std::string account =
      fmt::format("{} of the step is {}", share_text(share), facts.gpu ? "a busy device" : "operators above the ridge");
  const ExperimentResult* doubled = facts.run(Experiment::doubled_threads);
  if (doubled == nullptr && !facts.gpu && !are_known(facts.profile.peaks)) return {.absent = roofs_not_measured};
  if (doubled == nullptr) return by_screen(Bottleneck::compute, share, side_screen, account);
  const Share gain{1 - *doubled->effect, {1 - doubled->interval->upper, 1 - doubled->interval->lower}};
  const auto causes = other_threaded_causes(facts);
  const std::string says =
      fmt::format("twice the threads make the step {}{}; {}", shorter_text(gain.value, gain.interval),
                  gain.value > 0 ? causes_text(causes) : "", account);
  if (gain.interval.upper < facts.margin) return judged(Bottleneck::compute, Proof::refuted, 0, says);
  const double others = sum_of(causes);
  const Share left{gain.value - others, {gain.interval.lower - others, gain.interval.upper}};
  if (left.interval.lower > facts.margin) return judged_by(Bottleneck::compute, Proof::proven, left, says);
  return judged(Bottleneck::compute, Proof::undecided, std::max(share, gain.value), says + processes_text(*doubled));
}

KindAnswer bandwidth_limits(const KindFacts& facts) {
  const double share = facts.sides.bandwidth;
  const std::string account = fmt::format("{} of the step is operators below the ridge", share_text(share));
  const ExperimentResult* thief = facts.run(Experiment::bandwidth_thief);
  if (thief == nullptr && facts.has_host_times()) return {.absent = times_of_the_host};
  if (thief == nullptr && !are_known(facts.profile.peaks)) return {.absent = roofs_not_measured};
  if (thief == nullptr) return by_screen(Bottleneck::bandwidth, share, side_screen, account);
  const std::string says =
      fmt::format("beside a core that only computes, a thief of bandwidth makes the step {}; {}",
                  shorter_text(-*thief->effect, {-thief->interval->upper, -thief->interval->lower}), account);
  if (thief->proof == Proof::refuted) return judged(Bottleneck::bandwidth, Proof::refuted, 0, says);
  // A thief shows a criticality; it cannot take the bandwidth's time away. So something that would take over at once
  // has to be excluded: the loader.
  if (thief->proof == Proof::proven && loader_may_lead(facts)) {
    return judged(Bottleneck::bandwidth, Proof::undecided, 0, says + ", but the loader may take over at once");
  }
  // One streaming core takes at most half of the bandwidth, so that it lengthens the step by at most what its bytes
  // take without it. More comes of a shared cache that it empties or of the clock, and fewer bytes would not win that.
  const double bytes =
      share_of_bytes(facts.profile.operators, facts.profile.peaks,
                     {.step_ns = facts.profile.step.mean_ns, .working_set_bytes = peak_bytes_of(facts.profile)});
  const bool too_much = *thief->effect > bytes;
  const bool proven = thief->proof == Proof::proven && bytes > least_bandwidth_share && !too_much;
  if (proven) {
    const Share shown{*thief->effect, {thief->interval->lower, std::min(thief->interval->upper, bytes)}};
    return judged_by(Bottleneck::bandwidth, Proof::proven, shown, says);
  }
  // Else the effect may be none, or nobody knows what the bytes take.
  const bool says_too_much = too_much && thief->proof == Proof::proven && are_known(facts.profile.peaks);
  const std::string limit = fmt::format(
      ", and its bytes take at most {}: so the thief takes more than bandwidth, a shared cache or the clock",
      share_text(bytes));
  return judged(Bottleneck::bandwidth, Proof::undecided, bytes,
                says + (says_too_much ? limit : "") + processes_text(*thief));
}

KindAnswer operators_limit(const KindFacts& facts) {
  const OperatorRow* worst = inefficient_operator(facts.profile);
  const ExperimentResult* replay = facts.run(Experiment::operator_replay);
  const bool predicted = replay != nullptr && replay->proof == Proof::predicted;
  if (worst == nullptr && !predicted && facts.has_host_times()) return {.absent = times_of_the_host};
  if (worst == nullptr && !predicted && !are_known(facts.profile.peaks)) return {.absent = roofs_not_measured};
  if (worst == nullptr && !predicted) return {.absent = "no operator of 10 % of the step is below 30 % of its roof"};
  // On a disturbed machine the times of operators may exceed the step.
  const auto of_step = [&](double ns) { return std::min(1.0, ns / facts.profile.step.mean_ns); };
  const double below = worst == nullptr ? 0 : of_step(worst->self_ns - worst->roof_ns);
  std::string says;
  if (worst != nullptr) {
    says = fmt::format("{} in {} takes {} of the step at {} of its roof", worst->site.name, worst->site.boundary,
                       share_text(of_step(worst->self_ns)), share_text(worst->efficiency));
  }
  if (predicted) says += (says.empty() ? "" : "; ") + replay_text(*replay);
  return judged(Bottleneck::operators, predicted ? Proof::predicted : Proof::likely,
                predicted ? *replay->effect : below, says);
}

}  // namespace stepgate
