#include "judge/studies/replay_gain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/clean_records.h"
#include "core/study/flop_peak.h"
#include "core/units.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr std::string_view as_recorded = "as recorded";

/// Sites have no number that two processes share.
std::string key_of(const OperatorSite& site) {
  std::string key = site.boundary + ' ' + site.name;
  for (const ObservedTensor& input : site.inputs) {
    key += fmt::format(" {} {}/{}", input.dtype, fmt::join(input.sizes, "x"), fmt::join(input.strides, "x"));
  }
  return key;
}

std::optional<std::int64_t> recorded_ns(const ProfileRun& run, std::size_t site) {
  for (const OperatorReplay& replay : run.replays) {
    if (replay.site == site && replay.form == as_recorded && replay.ns > 0) return replay.ns;
  }
  return std::nullopt;
}

/// True if the cheapest call takes at least as long as the work of one call could at the best rates of this machine:
/// another form of it forecasts noise, and a smaller dtype saves nothing.
bool is_mostly_a_call(const ProfileRun& run, const OperatorSite& site) {
  if (site.flops == 0 && site.bytes == 0) return false;  // its work is not known
  const auto calls = static_cast<double>(std::max<std::int64_t>(1, site.leaf_calls));
  double work_ns = 0;
  const auto rate = run.peaks.flops_per_s.find(compute_dtype(site));
  if (rate != run.peaks.flops_per_s.end() && rate->second > 0) {
    work_ns = static_cast<double>(site.flops) / calls / rate->second * ns_per_s;
  }
  double bytes_per_s = 0;
  for (const BandwidthLevel& level : run.peaks.bandwidth) bytes_per_s = std::max(bytes_per_s, level.bytes_per_s);
  if (bytes_per_s > 0) work_ns = std::max(work_ns, static_cast<double>(site.bytes) / calls / bytes_per_s * ns_per_s);
  return static_cast<double>(run.peaks.floor_ns) > work_ns;
}

using Gains = std::map<std::pair<std::string, std::string>, ReplayGain>;

/// The gains of one process. Its sites of one key win together: they are one operator called from several places.
Gains gains_of(const ProfileRun& run) {
  Gains gains;
  if (!run.observed || run.observed_wall_ns <= 0) return gains;
  for (const OperatorReplay& replay : run.replays) {
    if (replay.form == as_recorded || replay.site >= run.observed->sites.size()) continue;
    const auto before = recorded_ns(run, replay.site);
    if (!before) continue;
    const OperatorSite& site = run.observed->sites[replay.site];
    if (is_mostly_a_call(run, site)) continue;
    // Operators of several threads together may take longer than the step; none is more than the whole step.
    const double share = std::min(1.0, static_cast<double>(site.self_ns) / static_cast<double>(run.observed_wall_ns));
    ReplayGain& gain = gains[{key_of(site), replay.form}];
    gain.site = fmt::format("{} in {}", site.name, site.boundary);
    gain.form = replay.form;
    gain.shares.resize(1);
    gain.shares[0] += share * (1 - static_cast<double>(replay.ns) / static_cast<double>(*before));
  }
  return gains;
}

void add_process(const ProfileRun& run, Gains& gains) {
  for (const auto& [key, gain] : gains_of(run)) {
    const auto [at, is_new] = gains.try_emplace(key, gain);
    if (!is_new) at->second.shares.push_back(gain.shares[0]);
  }
}

}  // namespace

std::optional<ReplayGain> best_replay_gain(const Measurement& profile) {
  Gains gains;
  for (const RunRecord* record : clean_records(profile, Group::profile)) {
    if (record->profile) add_process(*record->profile, gains);
  }
  const auto best = std::max_element(gains.begin(), gains.end(), [](const auto& a, const auto& b) {
    return mean(a.second.shares) < mean(b.second.shares);
  });
  if (best == gains.end()) return std::nullopt;
  const bool loses = mean(best->second.shares) < 0;  // then it stays as it is, and that costs nothing
  for (double& share : best->second.shares) share = loses ? 0 : std::min(share, 1.0);
  return best->second;
}

}  // namespace stepgate
