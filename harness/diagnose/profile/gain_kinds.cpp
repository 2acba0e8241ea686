// Kinds whose resource an experiment removes: input, copy, optimizer, logging.
#include <fmt/format.h>

#include <algorithm>

#include "core/study/experiment_contrast.h"
#include "core/text/number_format.h"
#include "diagnose/profile/implausible_gains.h"
#include "diagnose/profile/kind_answers.h"

namespace stepgate {
namespace {

// Shares of the step from which a kind may matter, where no experiment ran. Input: warning level of XProf's input
// pipeline analyzer and of PyTorch's TensorBoard plugin (severe: 20 %). Copy: XProf's level for other kinds (severe:
// 15 %). Optimizer: own choice; AdamW of one tensor after another took 8 to 15 % of small models.
constexpr double input_screen = 0.05;
constexpr double copy_screen = 0.03;
constexpr double optimizer_screen = 0.10;

Proof word_of(const Interval& gain, double margin) {
  if (gain.lower > margin) return Proof::proven;
  return gain.upper < margin ? Proof::refuted : Proof::undecided;
}

/// The gain of the loader alone, without that of the copy: never more than that of both.
struct LoaderGain {
  double value = 0;
  Interval interval;
};

LoaderGain loader_gain(const ExperimentResult& synthetic, const ExperimentResult* copy) {
  if (copy == nullptr) return {*synthetic.effect, *synthetic.interval};
  Interval interval = gain_beyond(*synthetic.interval, *copy->interval);
  interval.upper = std::min(interval.upper, std::max(synthetic.interval->upper, interval.lower));
  return {1 - (1 - *synthetic.effect) / (1 - *copy->effect), interval};
}

/// The largest part of the account that is not the input: it sets the pace once the loader no longer does.
std::string next_part(const Profile& profile) {
  const AccountPart* largest = nullptr;
  for (const AccountPart& part : profile.account) {
    if (part.kind == Bottleneck::input) continue;
    if (largest == nullptr || part.ns > largest->ns) largest = &part;
  }
  return largest == nullptr ? "the rest of the step" : largest->label;
}

/// The answer if both experiments are decided (docs/design/profile_analysis.md, "Words").
KindAnswer input_by_both(const KindFacts& facts, const LoaderGain& gain, const ExperimentResult& delayed, Proof won) {
  const bool critical = delayed.proof == Proof::proven;
  const std::string numbers =
      fmt::format("without the loader the step is {}; {} of a delay of the loader reaches it",
                  shorter_text(gain.value, gain.interval), number_with_interval(*delayed.effect, *delayed.interval));
  if (won == Proof::proven && critical) return judged(Bottleneck::input, Proof::proven, gain.value, numbers);
  if (won == Proof::refuted && critical) {
    return judged(Bottleneck::input, Proof::refuted, 0,
                  fmt::format("balanced: input is critical, but something else takes over at once: {}. {}",
                              next_part(facts.profile), numbers));
  }
  if (won == Proof::refuted) {
    return judged(Bottleneck::input, Proof::refuted, 0, "hidden: a faster loader wins nothing. " + numbers);
  }
  return judged(Bottleneck::input, Proof::undecided, 0,
                "contradiction, one of the two experiments was disturbed: " + numbers);
}

/// If a small share of the step refutes an undecided gain, the gain is worth reading only with that share.
std::string remark_text(const ExperimentResult& result) {
  return result.proof == Proof::refuted && !result.remark.empty() ? "; " + result.remark : "";
}

}  // namespace

KindAnswer by_gain(Bottleneck kind, const ExperimentResult& result, const std::string& without) {
  const double worth = result.proof == Proof::refuted ? 0 : *result.effect;
  return judged(kind, result.proof, worth,
                fmt::format("{} the step is {}{}{}", without, shorter_text(*result.effect, *result.interval),
                            processes_text(result), remark_text(result)));
}

bool loader_may_lead(const KindFacts& facts) {
  const ExperimentResult* delayed = facts.run(Experiment::delayed_loader);
  return delayed == nullptr || delayed->proof != Proof::refuted;
}

KindAnswer input_limits(const KindFacts& facts) {
  if (loader_is_too_fast(facts.profile)) {
    return judged(Bottleneck::input, Proof::refuted, 0, std::string(too_fast_to_delay));
  }
  const ExperimentResult* synthetic = facts.run(Experiment::synthetic_batch);
  const ExperimentResult* delayed = facts.run(Experiment::delayed_loader);
  const double wait = facts.share("data-wait");
  if (synthetic == nullptr) {
    return by_screen(Bottleneck::input, wait, input_screen,
                     fmt::format("{} of the step waits for data", share_text(wait)));
  }
  const bool is_too_small = synthetic->proof == Proof::refuted && !synthetic->remark.empty();
  if (is_too_small) return judged(Bottleneck::input, Proof::refuted, 0, synthetic->remark);
  const LoaderGain gain = loader_gain(*synthetic, facts.run(Experiment::resident_batch));
  const Proof won = word_of(gain.interval, facts.margin);
  const bool both = delayed != nullptr && delayed->proof != Proof::undecided;
  if (both && won != Proof::undecided) return input_by_both(facts, gain, *delayed, won);
  const std::string numbers = fmt::format("without the loader the step is {}", shorter_text(gain.value, gain.interval));
  // A gain without a criticality proves nothing: removing the loader may remove more than the loader. A loader that
  // wins nothing is refuted by the gain alone.
  if (won == Proof::refuted) return judged(Bottleneck::input, Proof::refuted, 0, numbers);
  const bool likely = won == Proof::proven && delayed == nullptr;
  return judged(
      Bottleneck::input, likely ? Proof::likely : Proof::undecided, gain.value,
      numbers + processes_text(delayed != nullptr && delayed->proof == Proof::undecided ? *delayed : *synthetic));
}

KindAnswer copy_limits(const KindFacts& facts) {
  if (!facts.gpu) return {.absent = "batches stay in the memory of the CPU"};
  const ExperimentResult* copy = facts.run(Experiment::resident_batch);
  if (copy == nullptr) {
    return by_screen(Bottleneck::copy, facts.component(Boundary::h2d), copy_screen,
                     fmt::format("the copy alone takes {} of the step", share_text(facts.component(Boundary::h2d))));
  }
  KindAnswer answer = by_gain(Bottleneck::copy, *copy, "without copies to the device");
  // Its gain was measured without the loader. If the loader sets the pace, the copy hides behind it.
  if (answer.verdict->proof == Proof::proven && loader_may_lead(facts)) {
    answer.verdict->proof = Proof::undecided;
    answer.verdict->says += ", but that was measured without the loader, which may set the pace";
  }
  return answer;
}

KindAnswer optimizer_limits(const KindFacts& facts) {
  const ExperimentResult* skipped = facts.run(Experiment::optimizer_skipped);
  if (skipped != nullptr) return by_gain(Bottleneck::optimizer, *skipped, "without the optimizer");
  const double share = facts.component(Boundary::optimizer);
  return by_screen(Bottleneck::optimizer, share, optimizer_screen,
                   fmt::format("the optimizer takes {} of the step", share_text(share)));
}

KindAnswer logging_limits(const KindFacts& facts) {
  const ExperimentResult* off = facts.run(Experiment::logging_off);
  if (off != nullptr) return by_gain(Bottleneck::logging, *off, "without logging");
  const double share = facts.share("logging");
  return by_screen(Bottleneck::logging, share, facts.margin,
                   fmt::format("logging takes {} of the step", share_text(share)));
}

}  // namespace stepgate
