// Kinds whose resource an experiment removes: input, copy, optimizer, logging.
#include <fmt/format.h>

#include <algorithm>

#include "core/record/clean_records.h"
#include "core/study/experiment_contrast.h"
#include "core/text/number_format.h"
#include "diagnose/profile/implausible_gains.h"
#include "diagnose/profile/kind_answers.h"
#include "diagnose/profile/other_causes.h"

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

/// A block of steps ends when its device is done, so that the next one begins with an empty queue: what the host does
/// in a boundary of its first step is seen there, although it is hidden in all others. Of one step in so many.
double filling_share(const KindFacts& facts, Boundary boundary) {
  if (!facts.gpu) return 0;
  for (const RunRecord* record : clean_records(facts.input.profile, Group::profile)) {
    if (!record->profile || record->profile->blocks.empty()) continue;
    const auto steps = static_cast<double>(record->profile->blocks.front().steps);
    return steps > 0 ? facts.host_share(boundary) / steps : 0;
  }
  return 0;
}

/// The gain of the copy alone. On a CPU the step's own thread copies, so its boundary bounds the gain, and the noise of
/// an experiment without copies does not make the loader's gain uncertain.
Share copy_gain(const KindFacts& facts, const ExperimentResult& copy) {
  const double takes = facts.component(Boundary::h2d);
  if (facts.gpu || takes <= 0) return {*copy.effect, *copy.interval};
  const double most = room_for_caches * takes;
  return {std::clamp(*copy.effect, 0.0, most),
          {std::clamp(copy.interval->lower, 0.0, most), std::clamp(copy.interval->upper, 0.0, most)}};
}

/// The gain of the loader alone, without that of the copy: never more than that of both. Where the copy was not
/// measured alone, all of its host time is taken off.
Share loader_gain(const KindFacts& facts, const ExperimentResult& synthetic) {
  const ExperimentResult* copy = facts.run(Experiment::resident_batch);
  if (copy == nullptr) {
    const double copies = facts.host_share(Boundary::h2d);
    return {*synthetic.effect - copies, {synthetic.interval->lower - copies, synthetic.interval->upper}};
  }
  const Share copies = copy_gain(facts, *copy);
  Interval interval = gain_beyond(*synthetic.interval, copies.interval);
  interval.upper = std::min(interval.upper, std::max(synthetic.interval->upper, interval.lower));
  return {1 - (1 - *synthetic.effect) / (1 - copies.value), interval};
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
KindAnswer input_by_both(const KindFacts& facts, const Share& gain, const ExperimentResult& delayed, Proof won) {
  const bool critical = delayed.proof == Proof::proven;
  const std::string numbers =
      fmt::format("without the loader the step is {}; {} of a delay of the loader reaches it",
                  shorter_text(gain.value, gain.interval), number_with_interval(*delayed.effect, *delayed.interval));
  if (won == Proof::proven && critical) return judged_by(Bottleneck::input, Proof::proven, gain, numbers);
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

/// The time of a batch, not the experiment, refutes that the loader wins anything.
bool loader_is_small(const KindFacts& facts) {
  const ExperimentResult* synthetic = facts.run(Experiment::synthetic_batch);
  return synthetic != nullptr && synthetic->proof == Proof::refuted && !synthetic->remark.empty();
}

/// If a small share of the step refutes an undecided gain, the gain is worth reading only with that share.
std::string remark_text(const ExperimentResult& result) {
  return result.proof == Proof::refuted && !result.remark.empty() ? "; " + result.remark : "";
}

}  // namespace

KindAnswer by_gain(const KindFacts& facts, const ExperimentResult& result, const std::string& without) {
  const auto removed = row_of(result.experiment).removes;
  const double filling = removed ? filling_share(facts, *removed) : 0;
  const double takes = removed ? facts.component(*removed) : 0;
  const double most = takes > 0 ? takes : 1;  // a boundary that was not timed bounds nothing
  // The interval stays what was shown: without copies the step was 8 % shorter where they took 5 %, since they also
  // push other data out of the caches.
  const Share shown{std::min(*result.effect - filling, most),
                    {std::min(result.interval->lower - filling, most), result.interval->upper}};
  std::string says = fmt::format("{} the step is {}", without, shorter_text(*result.effect, *result.interval));
  if (*result.effect > most) says += fmt::format("; {} takes {} of it", name_of(*removed), share_text(most));
  if (filling > facts.margin) {
    says += fmt::format("; of it at most filling the queue after a block {}", share_text(filling));
  }
  const bool is_explained = result.proof == Proof::proven && !(shown.interval.lower > facts.margin);
  const Proof proof = is_explained ? Proof::undecided : result.proof;
  says += processes_text(result) + remark_text(result);
  return judged_by(row_of(result.experiment).shows, proof, proof == Proof::refuted ? Share() : shown, std::move(says));
}

bool loader_may_lead(const KindFacts& facts) {
  if (loader_is_too_fast(facts.profile) || loader_is_small(facts)) return false;
  const ExperimentResult* delayed = facts.run(Experiment::delayed_loader);
  if (delayed == nullptr || delayed->proof == Proof::undecided) return true;
  return delayed->proof == Proof::proven && !loads_on_the_step(facts);
}

KindAnswer input_limits(const KindFacts& facts) {
  if (loader_is_too_fast(facts.profile)) {
    return judged(Bottleneck::input, Proof::refuted, 0, "a batch comes within 20 us: loading cannot limit this step");
  }
  const ExperimentResult* synthetic = facts.run(Experiment::synthetic_batch);
  const ExperimentResult* delayed = facts.run(Experiment::delayed_loader);
  const double wait = facts.share("data-wait");
  if (synthetic == nullptr) {
    return by_screen(Bottleneck::input, wait, input_screen,
                     fmt::format("{} of the step waits for data", share_text(wait)));
  }
  if (loader_is_small(facts)) return judged(Bottleneck::input, Proof::refuted, 0, synthetic->remark);
  Share gain = loader_gain(facts, *synthetic);
  const double filling = filling_share(facts, Boundary::data_wait);
  gain.value -= filling;
  gain.interval.lower -= filling;
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
  // Batches of a CPU stay in its memory: what the boundary costs there is work of the loop's own, if it is any.
  if (!facts.gpu && facts.host_share(Boundary::h2d) <= copy_screen) {
    return {.absent = "batches stay in the memory of the CPU"};
  }
  const ExperimentResult* copy = facts.run(Experiment::resident_batch);
  if (copy == nullptr && !facts.gpu) {
    const double share = facts.host_share(Boundary::h2d);
    return by_screen(Bottleneck::copy, share, copy_screen,
                     fmt::format("handing the batch over takes {} of the step", share_text(share)));
  }
  if (copy == nullptr) {
    return by_screen(Bottleneck::copy, facts.component(Boundary::h2d), copy_screen,
                     fmt::format("the copy alone takes {} of the step", share_text(facts.component(Boundary::h2d))));
  }
  KindAnswer answer = by_gain(facts, *copy, "without copies to the device");
  // Its gain was measured without the loader. If the loader sets the pace, the copy hides behind it.
  if (answer.verdict->proof == Proof::proven && loader_may_lead(facts)) {
    answer.verdict->proof = Proof::undecided;
    answer.verdict->interval.reset();
    answer.verdict->says += ", but that was measured without the loader, which may set the pace";
  }
  if (answer.verdict->proof != Proof::proven) return answer;
  const Share shown = within_slack(facts, {answer.verdict->worth, *answer.verdict->interval});
  return judged_by(Bottleneck::copy, shown.interval.lower > facts.margin ? Proof::proven : Proof::undecided, shown,
                   answer.verdict->says);
}

KindAnswer optimizer_limits(const KindFacts& facts) {
  const ExperimentResult* skipped = facts.run(Experiment::optimizer_skipped);
  if (skipped != nullptr) return by_gain(facts, *skipped, "without the optimizer");
  const double share = facts.component(Boundary::optimizer);
  return by_screen(Bottleneck::optimizer, share, optimizer_screen,
                   fmt::format("the optimizer takes {} of the step", share_text(share)));
}

KindAnswer logging_limits(const KindFacts& facts) {
  const ExperimentResult* off = facts.run(Experiment::logging_off);
  if (off != nullptr) return by_gain(facts, *off, "without logging");
  const double share = facts.share("logging");
  return by_screen(Bottleneck::logging, share, facts.margin,
                   fmt::format("logging takes {} of the step", share_text(share)));
}

}  // namespace stepgate
