#include "diagnose/profile/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text/number_format.h"
#include "diagnose/patterns/pattern.h"
#include "diagnose/profile/kind_facts.h"
#include "diagnose/profile/step/operator_callers.h"

namespace stepgate {
namespace {

/// A mend of one kind of bottleneck. Its worth is that of the kind's verdict.
struct KindMend {
  Bottleneck kind;
  std::string_view text;     ///< where the kind limits the step
  std::string_view refuted;  ///< what does not pay where it is refuted; "": nobody would try it
};

constexpr KindMend kind_mends[] = {
    {Bottleneck::input, "the loader is too slow: more workers, less work per sample, or batches prepared once",
     "more loader workers, a faster loader"},
    {Bottleneck::launch, "calls cost more than they compute: a larger batch, fused operators, on a GPU a CUDA graph",
     "a larger batch, CUDA graphs"},
    {Bottleneck::sync, "read losses and norms once a window, not in each step", "fewer syncs"},
    {Bottleneck::copy, "copy from pinned memory, non_blocking, one step ahead", "pinned memory"},
    {Bottleneck::communication, "larger buckets, or gradients in bf16", ""},
    {Bottleneck::logging, "log less often, and only tensors that are detached", "less logging"},
    {Bottleneck::compute, "less arithmetic: bf16, smaller sizes, or more threads", ""},
    {Bottleneck::bandwidth, "move fewer bytes: fuse elementwise operators, bf16", ""},
};

const ExperimentResult* result_of(const Profile& profile, Experiment experiment) {
  for (const ExperimentResult& result : profile.experiments) {
    if (result.experiment == experiment && result.effect && result.interval) return &result;
  }
  return nullptr;
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

std::optional<Advice> fused_optimizer(const Profile& profile) {
  const ExperimentResult* fused = result_of(profile, Experiment::optimizer_fused);
  if (fused == nullptr) return std::nullopt;
  return Advice{*fused->effect, fused->proof, optimizer_text(profile), evidence_of(*fused)};
}

/// Without a fused variant the gain of skipping the update is all that a faster one could win.
std::optional<Advice> cheaper_optimizer(const Profile& profile) {
  const ExperimentResult* skipped = result_of(profile, Experiment::optimizer_skipped);
  if (skipped == nullptr || result_of(profile, Experiment::optimizer_fused) != nullptr) return std::nullopt;
  return Advice{*skipped->effect, skipped->proof, "a cheaper optimizer wins at most this: fused, or fewer steps of it",
                evidence_of(*skipped)};
}

std::optional<Advice> more_threads(const Profile& profile) {
  const ExperimentResult* doubled = result_of(profile, Experiment::doubled_threads);
  if (doubled == nullptr) return std::nullopt;
  return Advice{1 - *doubled->effect, doubled->proof,
                fmt::format("{} threads instead of {}", 2 * profile.threads, profile.threads),
                fmt::format("doubled-threads: {} of the step time", share_text(*doubled->effect))};
}

std::optional<Advice> replayed_operator(const Profile& profile) {
  const ExperimentResult* replay = result_of(profile, Experiment::operator_replay);
  if (replay == nullptr || replay->proof == Proof::refuted) return std::nullopt;
  return Advice{*replay->effect, replay->proof, replay->remark, evidence_of(*replay)};
}

void add_kinds(const Profile& profile, std::vector<Advice>& advice) {
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    const auto* mend =
        std::ranges::find_if(kind_mends, [&](const KindMend& each) { return each.kind == verdict.kind; });
    if (mend == std::end(kind_mends)) continue;
    const bool refuted = verdict.proof == Proof::refuted;
    const std::string_view text = refuted ? mend->refuted : mend->text;
    if (!text.empty()) advice.push_back({refuted ? 0 : verdict.worth, verdict.proof, std::string(text), verdict.says});
  }
}

/// True if a site may run within another one of `matches`.
bool is_within_another(const PatternMatch& match, const std::vector<PatternMatch>& matches,
                       const std::vector<std::vector<std::size_t>>& callers) {
  std::vector<bool> seen(callers.size());
  std::vector<std::size_t> open = callers[match.site];
  while (!open.empty()) {
    const std::size_t caller = open.back();
    open.pop_back();
    if (seen[caller] || caller == match.site) continue;
    seen[caller] = true;
    if (std::ranges::any_of(matches, [&](const PatternMatch& each) { return each.site == caller; })) return true;
    open.insert(open.end(), callers[caller].begin(), callers[caller].end());
  }
  return false;
}

/// The time of these sites with all operators that they called, which go with them.
double total_ns_of(const std::vector<PatternMatch>& matches, const ObservedWork& work) {
  const auto callers = possible_callers(work);
  double total_ns = 0;
  for (const PatternMatch& match : matches) {
    if (!is_within_another(match, matches, callers)) total_ns += static_cast<double>(work.sites[match.site].total_ns);
  }
  return total_ns;
}

/// Each pattern with the operators that its mend takes away, at the time that they take.
void add_patterns(const AdviceInput& input, std::vector<Advice>& advice) {
  if (input.run == nullptr || !input.run->observed || input.run->observed_wall_ns <= 0) return;
  const ObservedWork& work = *input.run->observed;
  for (const Pattern& pattern : pattern_table()) {
    if (pattern.find == nullptr || (pattern.gpu_only && input.profile.device != Device::cuda)) continue;
    if (input.tf32 && pattern.code == FindingCode::float32_product) continue;
    const auto matches = pattern.find(work);
    if (matches.empty()) continue;
    const double share = total_ns_of(matches, work) / static_cast<double>(input.run->observed_wall_ns);
    advice.push_back({std::min(1.0, share), Proof::likely, fmt::format("{}: {}", pattern.name, pattern.advice),
                      matches.front().text});
  }
}

}  // namespace

std::vector<Advice> advice_for(const AdviceInput& input) {
  const Profile& profile = input.profile;
  std::vector<Advice> advice;
  for (const auto& find : {fused_optimizer, cheaper_optimizer, more_threads, replayed_operator}) {
    auto found = find(profile);
    if (found) advice.push_back(std::move(*found));
  }
  add_kinds(profile, advice);
  add_patterns(input, advice);
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
