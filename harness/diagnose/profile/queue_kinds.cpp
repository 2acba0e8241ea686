// Kinds of a host that queues too slowly or waits: launch, sync, communication.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/profile/kind_answers.h"
#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

/// XProf calls kernel launch, collectives and other waits moderate from 3 % of the step on (severe: 15 %).
constexpr double wait_screen = 0.03;

/// The input leaves the device idle too, or sets the pace once another cause is gone. So a statement about idle time
/// needs a loader that neither wins nor leads.
bool input_plays_no_part(const KindFacts& facts) {
  const KindAnswer input = input_limits(facts);
  return input.verdict && input.verdict->proof == Proof::refuted && !loader_may_lead(facts);
}

double upper_of(const ExperimentResult* result) {
  return result == nullptr ? 0 : std::max(0.0, result->interval->upper);
}

/// Share of the step that does not grow with the batch: T(2B)/T(B) = 2 - fixed.
struct FixedShare {
  double value = 0;
  Interval interval;
};

FixedShare fixed_share(const ExperimentResult& doubled) {
  return {2 - *doubled.effect, {2 - doubled.interval->upper, 2 - doubled.interval->lower}};
}

std::string fixed_text(const FixedShare& fixed) {
  if (fixed.value < 0) {
    return fmt::format("twice the batch takes {} times as long, so all of the step grows with it",
                       number_with_interval(2 - fixed.value, {2 - fixed.interval.upper, 2 - fixed.interval.lower}));
  }
  return fmt::format("{} of the step does not grow with the batch", share_with_interval(fixed.value, fixed.interval));
}

/// On a CPU, what does not grow with the batch is dispatch, the optimizer, logging, and weights that are read. All but
/// dispatch are taken off with their upper bounds. What is left may lie in host code between the operators too, so it
/// wins at most the time that operators take beyond their work.
KindAnswer launch_on_cpu(const KindFacts& facts) {
  const double dispatch = facts.share("dispatch");
  const ExperimentResult* doubled = facts.run(Experiment::doubled_batch);
  if (doubled == nullptr && !are_known(facts.profile.peaks)) return {.absent = roofs_not_measured};
  if (doubled == nullptr) {
    return by_screen(Bottleneck::launch, dispatch, wait_screen,
                     fmt::format("calling operators takes {} of the step", share_text(dispatch)));
  }
  const ExperimentResult* optimizer = facts.run(Experiment::optimizer_skipped);
  const ExperimentResult* logging = facts.run(Experiment::logging_off);
  const double optimizer_share = optimizer != nullptr ? upper_of(optimizer) : facts.component(Boundary::optimizer);
  const double others = optimizer_share + upper_of(logging) + facts.sides.bandwidth;
  const FixedShare fixed = fixed_share(*doubled);
  const std::string says = fixed.value < 0
                               ? fixed_text(fixed)
                               : fmt::format("{}, {} of it the optimizer, logging and reading weights at most",
                                             fixed_text(fixed), share_text(std::min(others, fixed.value)));
  if (fixed.interval.upper < facts.margin) return judged(Bottleneck::launch, Proof::refuted, 0, fixed_text(fixed));
  const bool proven = fixed.interval.lower - others > facts.margin && dispatch > wait_screen;
  const double most = dispatch + facts.share("below-roof");
  const double worth = std::min(std::max(fixed.value - others, std::min(dispatch, fixed.value)), most);
  return judged(Bottleneck::launch, proven ? Proof::proven : Proof::undecided, worth, says + processes_text(*doubled));
}

std::string idle_text(const Interval& idle) {
  return fmt::format("the device idles for {}", share_with_interval((idle.lower + idle.upper) / 2, idle));
}

/// Which of the two leaves the device idle? If the host queues too slowly, twice the batch fills the idle time first:
/// fixed share = min(1, 2 idle), or more with an optimizer. If host and device take turns at a sync, the host's part
/// stays: fixed share = idle, plus that of the optimizer's kernels.
enum class IdleCause { launch, sync, unknown };

IdleCause idle_cause(const KindFacts& facts) {
  const ExperimentResult* doubled = facts.run(Experiment::doubled_batch);
  if (doubled == nullptr) return IdleCause::unknown;
  const Interval fixed = fixed_share(*doubled).interval;
  const double optimizer = upper_of(facts.run(Experiment::optimizer_skipped));
  const bool beyond_sync = fixed.lower > facts.idle->upper + optimizer + facts.margin;
  const bool short_of_launch = fixed.upper < std::min(1.0, 2 * facts.idle->lower) - facts.margin;
  if (beyond_sync != short_of_launch) return beyond_sync ? IdleCause::launch : IdleCause::sync;
  return IdleCause::unknown;
}

KindAnswer launch_on_gpu(const KindFacts& facts) {
  const double idle_share = facts.share("device-idle");
  if (!facts.idle) {
    return by_screen(Bottleneck::launch, idle_share, wait_screen,
                     fmt::format("the device idles for {} of the step", share_text(idle_share)));
  }
  const std::string says = idle_text(*facts.idle);
  if (facts.idle->upper < facts.margin) return judged(Bottleneck::launch, Proof::refuted, 0, says);
  const bool idles = facts.idle->lower > facts.margin && input_plays_no_part(facts);
  if (idles && facts.host_syncs && *facts.host_syncs == 0) {
    return judged(Bottleneck::launch, Proof::proven, idle_share,
                  says + ", although nothing in the step waits for it and data is there: the host queues too slowly");
  }
  const IdleCause cause = idles ? idle_cause(facts) : IdleCause::unknown;
  if (cause == IdleCause::launch) {
    return judged(Bottleneck::launch, Proof::proven, idle_share,
                  says + ", and twice the batch fills that time: the host queues too slowly");
  }
  if (cause == IdleCause::sync) {
    return judged(Bottleneck::launch, Proof::refuted, 0, says + ", because host and device take turns (sync)");
  }
  return judged(Bottleneck::launch, Proof::undecided, idle_share, says);
}

}  // namespace

KindAnswer launch_limits(const KindFacts& facts) { return facts.gpu ? launch_on_gpu(facts) : launch_on_cpu(facts); }

KindAnswer sync_limits(const KindFacts& facts) {
  if (!facts.gpu) return {.absent = "a CPU has computed when a call returns: there is nothing to wait for"};
  if (!facts.host_syncs) return {.absent = "syncs were not counted"};
  if (*facts.host_syncs == 0) {
    return judged(Bottleneck::sync, Proof::refuted, 0, "no call of the step waits for the device (counted)");
  }
  const std::string says =
      fmt::format("{} a step wait for the device", counted(static_cast<std::int64_t>(*facts.host_syncs + 0.5), "call"));
  const double idle_share = facts.share("device-idle");
  if (!facts.idle) return by_screen(Bottleneck::sync, idle_share, wait_screen, says);
  if (facts.idle->upper < facts.margin) {
    return judged(Bottleneck::sync, Proof::refuted, 0, says + ", but " + idle_text(*facts.idle));
  }
  const bool idles = facts.idle->lower > facts.margin && input_plays_no_part(facts);
  const IdleCause cause = idles ? idle_cause(facts) : IdleCause::unknown;
  // Without syncs the slower of the two sets the pace: T becomes max(host, device) instead of their sum.
  const double worth = std::min(idle_share, 1 - idle_share);
  if (cause == IdleCause::sync) {
    return judged(Bottleneck::sync, Proof::proven, worth,
                  fmt::format("{}; {}, and that time does not shrink with twice the batch: host and device take turns",
                              says, idle_text(*facts.idle)));
  }
  if (cause == IdleCause::launch) return judged(Bottleneck::sync, Proof::refuted, 0, says + ", but hardly have to");
  return judged(Bottleneck::sync, Proof::undecided, worth, says + "; " + idle_text(*facts.idle));
}

KindAnswer exchange_limits(const KindFacts& facts) {
  if (const ExperimentResult* off = facts.run(Experiment::exchange_off))
    return by_gain(Bottleneck::communication, *off, "without the exchange of gradients");
  if (!facts.exchange_wait) return {.absent = "one rank exchanges nothing"};
  return by_screen(Bottleneck::communication, *facts.exchange_wait, wait_screen,
                   fmt::format("{} of the step waits for gradients of other ranks", share_text(*facts.exchange_wait)));
}

}  // namespace stepgate
