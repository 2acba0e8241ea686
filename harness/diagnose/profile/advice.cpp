#include "diagnose/profile/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "core/text/number_format.h"
#include "diagnose/profile/advice_call_costs.h"
#include "diagnose/profile/advice_lines.h"
#include "diagnose/profile/advice_patterns.h"
#include "diagnose/profile/kind_facts.h"
#include "diagnose/profile/step/account.h"

namespace stepgate {
namespace {

/// A mend of one kind of bottleneck.
struct KindMend {
  Bottleneck kind;
  Experiment experiment;     ///< on which its verdict rests, if it ran
  std::string_view text;     ///< where the kind limits the step
  std::string_view refuted;  ///< what does not pay where it is refuted; "": nobody would try it
  /// The kind's experiment takes away all that the mend can: its word and its number hold for the mend too. Otherwise
  /// the experiment shows that the kind limits the step, and what this mend wins is likely at best.
  bool removed_by_experiment = false;
  bool by_half_precision = false;  ///< half precision is such a mend where it is not slower
  std::string_view on_cpu = {};    ///< the text on a CPU, where it is another one and nothing is tried in vain
};

constexpr KindMend kind_mends[] = {
    {.kind = Bottleneck::input,
     .experiment = Experiment::synthetic_batch,
     .text = "the loader is too slow: more workers, less work per sample, or batches prepared once, win at most this",
     .refuted = "more loader workers, a faster loader",
     .removed_by_experiment = true},
    {.kind = Bottleneck::launch,
     .experiment = Experiment::doubled_batch,
     .text = "calls cost more than they compute: fused or batched operators, on a GPU a CUDA graph",
     .refuted = "a larger batch, CUDA graphs"},
    {.kind = Bottleneck::sync,
     .experiment = Experiment::doubled_batch,
     .text = "read losses and norms once a window, not in each step",
     .refuted = "fewer syncs"},
    {.kind = Bottleneck::copy,
     .experiment = Experiment::resident_batch,
     .text = "copy from pinned memory, non_blocking, one step ahead: wins at most this",
     .refuted = "pinned memory",
     .removed_by_experiment = true,
     .on_cpu = "hand over fewer bytes, in a smaller dtype or without copying the batch: wins at most this"},
    {.kind = Bottleneck::communication,
     .experiment = Experiment::exchange_off,
     .text = "larger buckets, or gradients in bf16, win at most this",
     .refuted = "",
     .removed_by_experiment = true},
    {.kind = Bottleneck::logging,
     .experiment = Experiment::logging_off,
     .text = "log less often, and only tensors that are detached: wins at most this",
     .refuted = "less logging",
     .removed_by_experiment = true},
    {.kind = Bottleneck::compute,
     .experiment = Experiment::doubled_threads,
     .text = "less arithmetic: smaller sizes or fewer products",
     .refuted = "",
     .by_half_precision = true},
    {.kind = Bottleneck::bandwidth,
     .experiment = Experiment::bandwidth_thief,
     .text = "move fewer bytes: fuse elementwise operators, write in place",
     .refuted = "",
     .by_half_precision = true},
};

const ExperimentResult* result_of(const Profile& profile, Experiment experiment) {
  for (const ExperimentResult& result : profile.experiments) {
    if (result.experiment == experiment && result.effect && result.interval) return &result;
  }
  return nullptr;
}

/// "doubled-threads: the step is 28.7 % [13.6 %, 41.2 %] shorter"
std::string scaled_text(const ExperimentResult& scaled) {
  const Interval saved{1 - scaled.interval->upper, 1 - scaled.interval->lower};
  return fmt::format("{}: the step is {}", name_of(scaled.experiment), shorter_text(1 - *scaled.effect, saved));
}

std::string evidence_of(const ExperimentResult& result) {
  return fmt::format("{}: {}", name_of(result.experiment), share_with_interval(*result.effect, *result.interval));
}

/// Tells the optimizers apart as measure/profile/experiments/optimizer_seen does: SGD adds, and divides by no second
/// moment.
std::string_view fused_update_of(const Profile& profile) {
  const auto calls = [&](std::string_view name) {
    return std::ranges::any_of(profile.operators, [&](const OperatorRow& row) {
      return row.site.boundary == name_of(Boundary::optimizer) && row.site.name == name;
    });
  };
  return calls("aten::add_") && !calls("aten::addcdiv_") ? "at::_fused_sgd_" : "at::_fused_adamw_";
}

std::string optimizer_text(const Profile& profile) {
  std::int64_t calls = 0;
  std::int64_t all = 0;
  for (const OperatorRow& row : profile.operators) {
    all += row.site.calls;
    if (row.site.boundary == name_of(Boundary::optimizer)) calls += row.site.calls;
  }
  if (calls == 0) return fmt::format("one fused update of all parameters: {}", fused_update_of(profile));
  return fmt::format("{} of {} operators are the optimizer: one fused update, {}",
                     count_text(static_cast<double>(calls)), count_text(static_cast<double>(all)),
                     fused_update_of(profile));
}

/// A gain, at most what the boundary takes that its experiment removes.
double gain_within_boundary(const ExperimentResult& result, const Profile& profile) {
  const auto removed = row_of(result.experiment).removes;
  return removed ? std::min(*result.effect, share_to_win(profile, name_of(*removed))) : *result.effect;
}

std::optional<Advice> fused_optimizer(const Profile& profile) {
  const ExperimentResult* fused = result_of(profile, Experiment::optimizer_fused);
  if (fused == nullptr) return std::nullopt;
  return Advice{gain_within_boundary(*fused, profile), fused->proof, optimizer_text(profile), evidence_of(*fused),
                line_of_kind(Bottleneck::optimizer, profile, nullptr)};
}

/// Without a fused variant the gain of skipping the update is all that a faster one could win.
std::optional<Advice> cheaper_optimizer(const Profile& profile) {
  const ExperimentResult* skipped = result_of(profile, Experiment::optimizer_skipped);
  if (skipped == nullptr || result_of(profile, Experiment::optimizer_fused) != nullptr) return std::nullopt;
  return Advice{gain_within_boundary(*skipped, profile), skipped->proof,
                "a cheaper optimizer wins at most this: fused, or fewer steps of it", evidence_of(*skipped),
                line_of_kind(Bottleneck::optimizer, profile, nullptr)};
}

std::optional<Advice> more_threads(const Profile& profile) {
  const ExperimentResult* doubled = result_of(profile, Experiment::doubled_threads);
  if (doubled == nullptr) return std::nullopt;
  return Advice{1 - *doubled->effect, doubled->proof,
                fmt::format("{} threads instead of {}", 2 * profile.threads, profile.threads), scaled_text(*doubled),
                line_of_kind(Bottleneck::compute, profile, nullptr)};
}

const BottleneckVerdict* kind_verdict(const Profile& profile, Bottleneck kind) {
  const auto at = std::ranges::find(profile.bottlenecks, kind, &BottleneckVerdict::kind);
  return at == profile.bottlenecks.end() ? nullptr : &*at;
}

/// What twice the batch wins for each sample. Only where calls are what does not grow: else other mends come first.
std::optional<Advice> larger_batch(const Profile& profile) {
  const ExperimentResult* doubled = result_of(profile, Experiment::doubled_batch);
  const BottleneckVerdict* launch = kind_verdict(profile, Bottleneck::launch);
  if (doubled == nullptr || launch == nullptr || launch->proof != Proof::proven) return std::nullopt;
  const Interval saved{1 - doubled->interval->upper / 2, 1 - doubled->interval->lower / 2};
  const double saved_share = 1 - *doubled->effect / 2;
  return Advice{saved_share, doubled->proof, "twice the batch, in time per sample; it changes the training",
                fmt::format("doubled-batch: a sample takes {} less", share_with_interval(saved_share, saved)),
                line_of_kind(Bottleneck::launch, profile, nullptr)};
}

struct ReplayedOperator {
  std::string name;
  std::string boundary;
};

/// The remark of a replay is "aten::mm in forward: bfloat16" (judge/studies/experiment_verdict).
ReplayedOperator replayed_in(const std::string& remark) {
  const std::string site = remark.substr(0, remark.rfind(": "));
  const std::size_t in = site.rfind(" in ");
  if (in == std::string::npos) return {site, ""};
  return {site.substr(0, in), site.substr(in + 4)};
}

std::optional<Advice> replayed_operator(const Profile& profile) {
  const ExperimentResult* replay = result_of(profile, Experiment::operator_replay);
  if (replay == nullptr || replay->proof == Proof::refuted) return std::nullopt;
  const auto [name, boundary] = replayed_in(replay->remark);
  return Advice{std::min(*replay->effect, share_to_win(profile, boundary)), replay->proof, replay->remark,
                evidence_of(*replay), line_of_operator(name, boundary, profile)};
}

/// Half precision is named where it is known to be fast: on a GPU, or where its products were measured to be faster.
/// Without instructions for it a CPU computes ten times slower in it than in float32.
bool half_precision_is_faster(const Profile& profile) {
  if (profile.device == Device::cuda) return true;
  const auto& rates = profile.peaks.flops_per_s;
  const auto half = rates.find("bfloat16");
  const auto single = rates.find("float32");
  return half != rates.end() && single != rates.end() && half->second > single->second;
}

/// What a mend wins that its experiment did not take away: the time that it can act on.
double likely_worth(const BottleneckVerdict& verdict, const Profile& profile) {
  const SideShares sides = side_shares(profile.operators, profile.step.mean_ns);
  if (verdict.kind == Bottleneck::compute) {
    return profile.device == Device::cuda ? share_of_part(profile.account, "device-busy") : sides.compute;
  }
  return verdict.kind == Bottleneck::bandwidth ? sides.bandwidth : verdict.worth;
}

/// "logging-off: without logging the step is 20.0 % [19.5 %, 20.5 %] shorter", "account: 10.0 % of the step waits for
/// data"
std::string evidence_of(const BottleneckVerdict& verdict, const KindMend& mend, const Profile& profile) {
  const bool ran = result_of(profile, mend.experiment) != nullptr;
  return fmt::format("{}: {}", ran ? name_of(mend.experiment) : "observed", verdict.says);
}

Advice mend_advice(const BottleneckVerdict& verdict, const KindMend& mend, const AdviceInput& input) {
  const ObservedWork* work = input.run != nullptr && input.run->observed ? &*input.run->observed : nullptr;
  const bool is_on_cpu = input.profile.device == Device::cpu && !mend.on_cpu.empty();
  Advice advice{verdict.worth, verdict.proof, std::string(is_on_cpu ? mend.on_cpu : mend.text),
                evidence_of(verdict, mend, input.profile), line_of_kind(verdict.kind, input.profile, work)};
  if (mend.by_half_precision && half_precision_is_faster(input.profile)) advice.text += ", bf16";
  if (verdict.proof == Proof::proven && !mend.removed_by_experiment) {
    advice.proof = Proof::likely;
    advice.worth = likely_worth(verdict, input.profile);
  }
  return advice;
}

void add_kinds(const AdviceInput& input, std::vector<Advice>& advice) {
  for (const BottleneckVerdict& verdict : input.profile.bottlenecks) {
    const auto* mend =
        std::ranges::find_if(kind_mends, [&](const KindMend& each) { return each.kind == verdict.kind; });
    if (mend == std::end(kind_mends)) continue;
    if (verdict.proof != Proof::refuted) {
      advice.push_back(mend_advice(verdict, *mend, input));
    } else if (!mend->refuted.empty() && (mend->on_cpu.empty() || input.profile.device != Device::cpu)) {
      advice.push_back({0, verdict.proof, std::string(mend->refuted), evidence_of(verdict, *mend, input.profile)});
    }
  }
}

}  // namespace

std::vector<Advice> advice_for(const AdviceInput& input) {
  const Profile& profile = input.profile;
  std::vector<Advice> advice;
  for (const auto& find : {fused_optimizer, cheaper_optimizer, more_threads, larger_batch, replayed_operator}) {
    auto found = find(profile);
    if (found) advice.push_back(std::move(*found));
  }
  add_kinds(input, advice);
  for (Advice& each : call_cost_advice(input)) advice.push_back(std::move(each));
  for (Advice& each : pattern_advice(input)) advice.push_back(std::move(each));
  for (Advice& each : advice) {
    if (each.proof == Proof::refuted) each.worth = 0;
  }
  std::erase_if(
      advice, [&](const Advice& each) { return each.proof != Proof::refuted && !(each.worth >= input.ignore_margin); });
  std::stable_sort(advice.begin(), advice.end(), [](const Advice& a, const Advice& b) {
    const int rank_a = rank_of(a.proof);
    const int rank_b = rank_of(b.proof);
    return rank_a != rank_b ? rank_a < rank_b : a.worth > b.worth;
  });
  return advice;
}

}  // namespace stepgate
