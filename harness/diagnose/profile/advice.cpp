#include "diagnose/profile/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

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

using SiteList = std::vector<std::size_t>;

/// True if a site may run within another one of `sites`.
bool is_within_another(std::size_t site, const SiteList& sites, const std::vector<SiteList>& callers) {
  std::vector<bool> seen(callers.size());
  SiteList open = callers[site];
  while (!open.empty()) {
    const std::size_t caller = open.back();
    open.pop_back();
    if (seen[caller] || caller == site) continue;
    seen[caller] = true;
    if (std::ranges::find(sites, caller) != sites.end()) return true;
    open.insert(open.end(), callers[caller].begin(), callers[caller].end());
  }
  return false;
}

/// The sites that the mends of these matches take away, each once.
SiteList sites_of(const std::vector<PatternMatch>& matches) {
  SiteList sites;
  for (const PatternMatch& match : matches) {
    sites.push_back(match.site);
    sites.insert(sites.end(), match.with.begin(), match.with.end());
  }
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  return sites;
}

/// What matches of patterns cost in one process that observed steps.
class PatternCost {
 public:
  explicit PatternCost(const AdviceInput& input)
      : profile_(input.profile), run_(*input.run), callers_(possible_callers(*input.run->observed)) {}

  const ObservedWork& work() const { return *run_.observed; }

  /// The time of these matches with all operators that they called, which go with them, as a share of the step.
  double share_of(const std::vector<PatternMatch>& matches) const {
    const SiteList sites = sites_of(matches);
    double total_ns = 0;
    for (const std::size_t site : sites) {
      if (!is_within_another(site, sites, callers_)) total_ns += static_cast<double>(work().sites[site].total_ns);
    }
    return std::min(1.0, total_ns / static_cast<double>(run_.observed_wall_ns));
  }

  /// Null where the match was not replayed in both forms.
  const ProductReplay* replay_of(const PatternMatch& match) const {
    const auto at =
        std::ranges::find_if(run_.products, [&](const ProductReplay& replay) { return replay.site == match.site; });
    return at == run_.products.end() || at->written_ns <= 0 ? nullptr : &*at;
  }

  /// What a mend of one match wins: all that it takes, or the part of it that the mended form saves. On a GPU the
  /// host's times of operators are not the device's, but the replays are.
  double gain_of(const PatternMatch& match) const {
    const ProductReplay* replay = replay_of(match);
    if (replay == nullptr) return share_of({match});
    const auto written_ns = static_cast<double>(replay->written_ns);
    const double saved_ns = std::max(0.0, written_ns - static_cast<double>(replay->product_ns));
    if (profile_.device != Device::cuda) return share_of({match}) * saved_ns / written_ns;
    const double step_ns = profile_.step.mean_ns;
    return step_ns > 0 ? std::min(1.0, match.calls_per_step * saved_ns / step_ns) : 0;
  }

 private:
  const Profile& profile_;
  const ProfileRun& run_;
  std::vector<SiteList> callers_;
};

/// "at net.cpp:12"; the function where no line is known, "" where nothing is.
std::string place_of(const ObservedWork& work, const PatternMatch& match) {
  const auto frames = frames_of(work, match.site);
  if (frames.empty()) return "";
  const auto line = std::ranges::find_if(frames, [](const SourceFrame& frame) { return frame.line > 0; });
  return line == frames.end() ? "in " + frames.front().function : fmt::format("at {}:{}", line->file, line->line);
}

/// What one match is, where, and what its replays say.
std::string match_text(const PatternMatch& match, const PatternCost& cost) {
  const std::string place = place_of(cost.work(), match);
  std::string text = match.text + (place.empty() ? "" : " ") + place;
  if (const ProductReplay* replay = cost.replay_of(match)) {
    text += fmt::format("; replayed: {} as written, {} as one product",
                        duration_text(static_cast<double>(replay->written_ns)),
                        duration_text(static_cast<double>(replay->product_ns)));
  }
  return text;
}

/// The costliest match whole. Of the others, those that were replayed whole, and else their places, each once.
std::string evidence_of(const std::vector<PatternMatch>& costliest_first, const PatternCost& cost) {
  constexpr std::size_t most_others = 2;
  std::string text = match_text(costliest_first.front(), cost);
  std::vector<std::string> told = {place_of(cost.work(), costliest_first.front()), ""};
  std::size_t others = 0;
  for (const PatternMatch& match : costliest_first) {
    const std::string place = place_of(cost.work(), match);
    if (std::ranges::find(told, place) != told.end()) continue;
    told.push_back(place);
    if (++others > most_others) continue;
    text += "; also " + (cost.replay_of(match) != nullptr ? match_text(match, cost) : place);
  }
  return others > most_others ? text + fmt::format("; and at {} more", others - most_others) : text;
}

/// One advice for all matches of a pattern.
Advice pattern_advice(const Pattern& pattern, const std::vector<PatternMatch>& matches, const PatternCost& cost) {
  std::vector<std::pair<double, PatternMatch>> by_gain;
  for (const PatternMatch& match : matches) by_gain.emplace_back(cost.gain_of(match), match);
  std::ranges::stable_sort(by_gain, std::ranges::greater{}, [](const auto& each) { return each.first; });
  double gains = 0;
  std::vector<PatternMatch> costliest_first;
  for (auto& [gain, match] : by_gain) {
    gains += gain;
    costliest_first.push_back(std::move(match));
  }
  const bool replayed =
      std::ranges::all_of(matches, [&](const PatternMatch& match) { return cost.replay_of(match) != nullptr; });
  return {.worth = replayed ? std::min(1.0, gains) : cost.share_of(matches),
          .proof = replayed ? Proof::predicted : Proof::likely,
          .text = fmt::format("{}: {}", pattern.name, pattern.advice),
          .evidence = evidence_of(costliest_first, cost)};
}

/// Each pattern with the operators that its mend takes away, at the time that they take.
void add_patterns(const AdviceInput& input, std::vector<Advice>& advice) {
  if (input.run == nullptr || !input.run->observed || input.run->observed_wall_ns <= 0) return;
  const PatternCost cost(input);
  for (const Pattern& pattern : pattern_table()) {
    if (pattern.find == nullptr || (pattern.gpu_only && input.profile.device != Device::cuda)) continue;
    if (input.tf32 && pattern.code == FindingCode::float32_product) continue;
    const auto matches = pattern.find(cost.work());
    if (!matches.empty()) advice.push_back(pattern_advice(pattern, matches, cost));
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
