// Kinds of a host that queues too slowly or waits: launch, sync, communication.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/profile/kind_answers.h"
#include "diagnose/profile/other_causes.h"
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
Share fixed_share(const ExperimentResult& doubled) {
  return {2 - *doubled.effect, {2 - doubled.interval->upper, 2 - doubled.interval->lower}};
}

std::string fixed_text(const Share& fixed) {
  if (fixed.value < 0) {
    return fmt::format("twice the batch takes {} times as long, so all of the step grows with it",
                       number_with_interval(2 - fixed.value, {2 - fixed.interval.upper, 2 - fixed.interval.lower}));
  }
  return fmt::format("{} of the step does not grow with the batch", share_with_interval(fixed.value, fixed.interval));
}

/// What is left of a share once other causes are taken off, and at most `most`. The causes are upper bounds, so they
/// lower the share and its lower bound only.
Share left_of(const Share& share, double others, double most) {
  const double upper = std::min(share.interval.upper, most);
  return {std::min(share.value - others, upper), {std::min(share.interval.lower - others, upper), upper}};
}

/// A loader whose delay reaches the step and that may lead sets the pace as soon as calls get cheaper.
bool loader_would_take_over(const KindFacts& facts) {
  const ExperimentResult* delayed = facts.run(Experiment::delayed_loader);
  return delayed != nullptr && delayed->proof == Proof::proven && loader_may_lead(facts);
}

/// On a CPU, dispatch does not grow with the batch, nor do many other things; all of them are taken off. What is left
/// wins at most the time that operators take beyond their work.
KindAnswer launch_on_cpu(const KindFacts& facts) {
  const double dispatch = facts.share("dispatch");
  const ExperimentResult* doubled = facts.run(Experiment::doubled_batch);
  if (doubled == nullptr && !are_known(facts.profile.peaks)) return {.absent = roofs_not_measured};
  if (doubled == nullptr) {
    return by_screen(Bottleneck::launch, dispatch, wait_screen,
                     fmt::format("calling operators takes {} of the step", share_text(dispatch)));
  }
  const Share fixed = fixed_share(*doubled);
  if (fixed.interval.upper < facts.margin) return judged(Bottleneck::launch, Proof::refuted, 0, fixed_text(fixed));
  const auto causes = other_fixed_causes(facts);
  const double most = dispatch + facts.share("below-roof");
  const Share left = within_slack(facts, left_of(fixed, sum_of(causes), most));
  const std::string says = fixed_text(fixed) + (fixed.value < 0 ? std::string() : causes_text(causes));
  if (left.interval.lower > facts.margin && dispatch > wait_screen && !loader_would_take_over(facts)) {
    return judged_by(Bottleneck::launch, Proof::proven, left,
                     fmt::format("{}; calls {}", says, share_with_interval(left.value, left.interval)));
  }
  const double by_account = within_slack(facts, {std::min(dispatch, fixed.value), {}}).value;
  return judged(Bottleneck::launch, Proof::undecided, std::max(left.value, by_account),
                says + fmt::format("; dispatch takes {}", share_text(dispatch)) + processes_text(*doubled));
}

std::string idle_text(const Interval& idle) {
  return fmt::format("the device idles for {}", share_with_interval((idle.lower + idle.upper) / 2, idle));
}

/// Which of the two leaves the device idle? If the host queues too slowly, twice the batch fills the idle time first:
/// fixed share = min(1, 2 idle), or more with an optimizer. If host and device take turns at a sync, the host's part
/// stays: fixed share = idle, plus that of the optimizer's kernels and of copies that do not grow.
enum class IdleCause { launch, sync, unknown };

IdleCause idle_cause(const KindFacts& facts) {
  const ExperimentResult* doubled = facts.run(Experiment::doubled_batch);
  if (doubled == nullptr) return IdleCause::unknown;
  const Interval fixed = fixed_share(*doubled).interval;
  const double on_device =
      upper_of(facts.run(Experiment::optimizer_skipped)) + upper_of(facts.run(Experiment::resident_batch));
  const bool beyond_sync = fixed.lower > facts.idle->upper + on_device + facts.margin;
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
  const std::string idle = idle_text(*facts.idle);
  if (facts.idle->upper < facts.margin) return judged(Bottleneck::launch, Proof::refuted, 0, idle);
  const auto causes = other_host_causes(facts);
  const Share all{(facts.idle->lower + facts.idle->upper) / 2, *facts.idle};
  const Share left = within_slack(facts, left_of(all, sum_of(causes), 1));
  const std::string says = idle + causes_text(causes);
  const bool idles = facts.idle->lower > facts.margin && input_plays_no_part(facts);
  const bool is_left = left.interval.lower > facts.margin;
  if (idles && is_left && facts.host_syncs && *facts.host_syncs == 0) {
    return judged_by(Bottleneck::launch, Proof::proven, left,
                     says + "; nothing in the step waits for the device and data is there: the host queues too slowly");
  }
  const IdleCause cause = idles ? idle_cause(facts) : IdleCause::unknown;
  if (cause == IdleCause::launch && is_left) {
    return judged_by(Bottleneck::launch, Proof::proven, left,
                     says + "; twice the batch fills that time: the host queues too slowly");
  }
  if (cause == IdleCause::sync) {
    return judged(Bottleneck::launch, Proof::refuted, 0, says + "; host and device take turns (sync)");
  }
  return judged(Bottleneck::launch, Proof::undecided, std::min(idle_share, std::max(left.value, 0.0)), says);
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
    const Share shown{
        worth,
        {std::min(facts.idle->lower, 1 - facts.idle->upper), std::min(facts.idle->upper, 1 - facts.idle->lower)}};
    return judged_by(Bottleneck::sync, Proof::proven, within_slack(facts, shown),
                     fmt::format("{}; {}, and that time does not shrink with twice the batch: host and device take "
                                 "turns",
                                 says, idle_text(*facts.idle)));
  }
  if (cause == IdleCause::launch) return judged(Bottleneck::sync, Proof::refuted, 0, says + ", but hardly have to");
  return judged(Bottleneck::sync, Proof::undecided, worth, says + "; " + idle_text(*facts.idle));
}

KindAnswer exchange_limits(const KindFacts& facts) {
  if (const ExperimentResult* off = facts.run(Experiment::exchange_off))
    return by_gain(facts, *off, "without the exchange of gradients");
  if (!facts.exchange_wait) return {.absent = "one rank exchanges nothing"};
  return by_screen(Bottleneck::communication, *facts.exchange_wait, wait_screen,
                   fmt::format("{} of the step waits for gradients of other ranks", share_text(*facts.exchange_wait)));
}

}  // namespace stepgate
