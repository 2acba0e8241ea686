#include "diagnose/profile/advice_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/pattern.h"
#include "diagnose/profile/advice_call_costs.h"
#include "diagnose/profile/step/account.h"
#include "diagnose/profile/step/call_price.h"
#include "diagnose/profile/step/device_timed_work.h"
#include "diagnose/profile/step/operator_callers.h"

namespace stepgate {
namespace {

using SiteList = std::vector<std::size_t>;

/// Own choice: a layer of a model calls an operator a few times from one line, a model of twelve layers about 40 times.
constexpr std::int64_t fewest_calls_of_a_loop = 50;

std::string boundary_text(const std::string& boundary) {
  return boundary == name_of(Boundary::data_wait) ? "in the loader" : "in " + boundary;
}

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

  /// The time of these matches with all operators that they called, which go with them, as a share of the step. In each
  /// boundary at most what a mend there can win.
  double share_of(const std::vector<PatternMatch>& matches) const {
    const SiteList sites = sites_of(matches);
    std::map<std::string, double> total_ns;
    for (const std::size_t site : sites) {
      if (is_within_another(site, sites, callers_)) continue;
      total_ns[work().sites[site].boundary] += static_cast<double>(work().sites[site].total_ns);
    }
    return share_to_win_of(total_ns);
  }

  /// Likewise of a pattern whose mend wins something else than its matches.
  double share_won(const Pattern& pattern) const {
    std::map<std::string, double> won_ns;
    for (const OperatorSite& site : work().sites) won_ns.try_emplace(site.boundary, 0);
    for (auto& [boundary, ns] : won_ns) ns = pattern.won_ns(work(), boundary);
    return share_to_win_of(won_ns);
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
  double share_to_win_of(const std::map<std::string, double>& ns_by_boundary) const {
    double share = 0;
    for (const auto& [boundary, ns] : ns_by_boundary) {
      share += std::min(ns / static_cast<double>(run_.observed_wall_ns), share_to_win(profile_, boundary));
    }
    return std::min(1.0, share);
  }

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

/// The stacks of all that the mends of these matches take away; empty ones of the loader, whose threads repeat no
/// calls.
std::vector<std::vector<SourceFrame>> stacks_of(const std::vector<PatternMatch>& matches, const ObservedWork& work) {
  std::vector<std::vector<SourceFrame>> stacks;
  for (const std::size_t site : sites_of(matches)) {
    const bool is_of_loader = work.sites[site].boundary == name_of(Boundary::data_wait);
    stacks.push_back(is_of_loader ? std::vector<SourceFrame>{} : frames_of(work, site));
  }
  return stacks;
}

/// One advice for all matches of a pattern.
Advice advice_on(const Pattern& pattern, const std::vector<PatternMatch>& matches, const PatternCost& cost) {
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
  const double likely = pattern.won_ns != nullptr ? cost.share_won(pattern) : cost.share_of(matches);
  const std::string& boundary = cost.work().sites[costliest_first.front().site].boundary;
  return {.worth = replayed ? std::min(1.0, gains) : likely,
          .proof = replayed ? Proof::predicted : Proof::likely,
          .text = fmt::format("{}: {}", pattern.name, pattern.advice),
          .evidence = fmt::format("{}: {}", boundary_text(boundary), evidence_of(costliest_first, cost))};
}

/// Small operators of one name that one line calls, with those of their gradients.
struct SmallCalls {
  SourceFrame at;
  std::string name;
  double calls = 0;
  double ns = 0;
};

std::optional<SmallCalls> most_small_calls(const Profile& profile) {
  std::map<std::tuple<std::string, std::int64_t, std::string>, SmallCalls> found;
  const MachinePeaks roofs = roofs_of(profile);
  for (const OperatorRow& row : profile.operators) {
    const bool has_line = row.at && row.at->line > 0 && row.site.boundary != name_of(Boundary::optimizer);
    if (!has_line || !is_price_of_calls(row, roofs)) continue;
    SmallCalls& calls = found[{row.at->file, row.at->line, row.site.name}];
    calls.at = *row.at;
    calls.name = row.site.name;
    calls.calls += row.fractional_calls.value_or(static_cast<double>(row.site.calls));
    calls.ns += row.self_ns;
  }
  std::optional<SmallCalls> most;
  for (auto& [key, calls] : found) {
    if (calls.calls >= fewest_calls_of_a_loop && (!most || calls.ns > most->ns)) most = std::move(calls);
  }
  return most;
}

/// A pattern that names the same line says more.
std::optional<Advice> advice_on_small_calls(const Profile& profile, const std::vector<Advice>& others) {
  const auto calls = most_small_calls(profile);
  if (!calls || !(profile.step.mean_ns > 0)) return std::nullopt;
  const std::string place = fmt::format(" at {}:{}", calls->at.file, calls->at.line);
  const bool named =
      std::ranges::any_of(others, [&](const Advice& each) { return each.evidence.find(place) != std::string::npos; });
  if (named) return std::nullopt;
  const double share = calls->ns / profile.step.mean_ns;
  return Advice{share, Proof::likely, "many small calls from one line: compute on one larger tensor, or fuse them",
                fmt::format("{} {} a step take {}, mostly the price of a call", count_text(calls->calls), calls->name,
                            share_text(share)),
                calls->at};
}

bool is_refuted(const Profile& profile, Bottleneck kind) {
  const auto at = std::ranges::find(profile.bottlenecks, kind, &BottleneckVerdict::kind);
  return at != profile.bottlenecks.end() && at->proof == Proof::refuted;
}

}  // namespace

double share_to_win(const Profile& profile, std::string_view boundary) {
  if (boundary == name_of(Boundary::data_wait) && !profile.account.empty()) {
    return is_refuted(profile, Bottleneck::input) ? 0 : share_of_part(profile.account, "data-wait");
  }
  const auto at = profile.components.find(std::string(boundary));
  return at == profile.components.end() || !(profile.step.mean_ns > 0) ? 1 : at->second / profile.step.mean_ns;
}

std::vector<Advice> pattern_advice(const AdviceInput& input) {
  std::vector<Advice> advice;
  if (input.run != nullptr && input.run->observed && input.run->observed_wall_ns > 0) {
    const PatternCost cost(input);
    for (const Pattern& pattern : pattern_table()) {
      if (pattern.find == nullptr || (pattern.gpu_only && input.profile.device != Device::cuda)) continue;
      if (input.tf32 && pattern.code == FindingCode::float32_product) continue;
      const auto matches = pattern.find(cost.work());
      if (matches.empty()) continue;
      advice.push_back(advice_on(pattern, matches, cost));
      // A mend that wins something else than its matches also takes away calls of other lines.
      if (pattern.won_ns != nullptr) continue;
      bound_by_call_costs(input.profile.call_costs, stacks_of(matches, cost.work()), advice.back());
    }
  }
  auto small = advice_on_small_calls(input.profile, advice);
  if (small) {
    bound_by_call_costs(input.profile.call_costs, {{*small->at}}, *small);
    advice.push_back(std::move(*small));
  }
  return advice;
}

}  // namespace stepgate
