#include "judge/rules/trajectory_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/mean_interval.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The share of a run that counts as its end (docs/design/statistics.md, "Final loss over seeds").
constexpr std::size_t one_in = 5;

using RunsBySeed = std::map<std::uint64_t, const std::vector<double>*>;

RunsBySeed by_seed(std::span<const SeededLosses> runs) {
  RunsBySeed result;
  for (const SeededLosses& run : runs) result[run.seed] = &run.losses;
  return result;
}

bool same_seeds(const RunsBySeed& base, const RunsBySeed& head) {
  return base.size() == head.size() && std::equal(base.begin(), base.end(), head.begin(),
                                                  [](const auto& a, const auto& b) { return a.first == b.first; });
}

bool same_length(const RunsBySeed& base, const RunsBySeed& head) {
  const std::size_t steps = base.begin()->second->size();
  const auto fits = [steps](const auto& run) { return steps > 0 && run.second->size() == steps; };
  return std::all_of(base.begin(), base.end(), fits) && std::all_of(head.begin(), head.end(), fits);
}

double final_loss(const std::vector<double>& losses) {
  const std::size_t count = std::max<std::size_t>(1, losses.size() / one_in);
  return mean(std::span(losses).last(count));
}

/// Settles the verdict if the runs cannot be compared.
bool unfit(std::span<const SeededLosses> base, std::span<const SeededLosses> head, MetricVerdict& verdict) {
  const RunsBySeed base_runs = by_seed(base);
  const RunsBySeed head_runs = by_seed(head);
  const auto stop = [&](Status status, ReasonCode reason, const char* detail) {
    settle(verdict, status, reason, detail);
    return true;
  };
  if (!all_finite(head)) return stop(Status::regressed, ReasonCode::non_finite, "a loss is not finite");
  if (!all_finite(base))
    return stop(Status::inconclusive, ReasonCode::baseline_non_finite, "a loss of the base is not finite");
  if (base_runs.size() != base.size() || head_runs.size() != head.size() || !same_seeds(base_runs, head_runs)) {
    return stop(Status::inconclusive, ReasonCode::seeds_differ, "each side needs exactly one run of every seed");
  }
  if (base.size() < fewest_seeds) {
    verdict.more_replicates = static_cast<std::int64_t>(fewest_seeds - base.size());
    return stop(Status::inconclusive, ReasonCode::too_few_seeds,
                "five seeds are needed to know the spread between seeds");
  }
  if (!same_length(base_runs, head_runs))
    return stop(Status::inconclusive, ReasonCode::steps_differ, "the runs have different lengths, or no losses");
  return false;
}

/// "8 seeds of 200 steps"
std::string extent(std::span<const SeededLosses> runs) {
  return fmt::format("{} of {}", counted(runs.size(), "seed"), counted(runs.front().losses.size(), "step"));
}

void settle_by_interval(const std::vector<double>& differences, const std::string& over, const TrajectoryLimits& limits,
                        MetricVerdict& verdict) {
  const MeanInterval red = mean_interval(differences, 1 - limits.alpha);
  const MeanInterval pass = mean_interval(differences, 1 - 2 * limits.beta);
  verdict.change = red.mean;
  verdict.interval = Interval{red.lower, red.upper};
  verdict.limit = fmt::format("+/-{:.3g} %", 100 * limits.margins.ignore);
  const std::string detail =
      fmt::format("final loss {} {} over {}", change_text(red.mean), interval_text(red.lower, red.upper), over);
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  if (*least == *most) return settle(verdict, Status::inconclusive, ReasonCode::constant_differences, detail);
  if (red.lower > limits.margins.ignore || red.upper < -limits.margins.ignore) {
    return settle(verdict, Status::regressed, ReasonCode::numerics_changed, detail);
  }
  if (pass.upper < limits.margins.matter && pass.lower > -limits.margins.matter) {
    return settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  }
  settle(verdict, Status::inconclusive, ReasonCode::interval_too_wide, detail);
}

}  // namespace

bool all_finite(std::span<const SeededLosses> runs) {
  return std::all_of(runs.begin(), runs.end(), [](const SeededLosses& run) {
    return std::all_of(run.losses.begin(), run.losses.end(), [](double loss) { return std::isfinite(loss); });
  });
}

void apply_trajectory_rule(std::span<const SeededLosses> base, std::span<const SeededLosses> head,
                           const TrajectoryLimits& limits, MetricVerdict& verdict) {
  if (unfit(base, head, verdict)) return;
  const RunsBySeed head_runs = by_seed(head);
  std::vector<double> base_ends;
  std::vector<double> differences;
  bool equal = true;
  for (const SeededLosses& run : base) {
    const std::vector<double>& other = *head_runs.at(run.seed);
    equal = equal && other == run.losses;
    base_ends.push_back(final_loss(run.losses));
    differences.push_back(final_loss(other) - base_ends.back());
  }
  const double scale = std::abs(mean(base_ends));
  verdict.baseline = mean(base_ends);
  verdict.current = *verdict.baseline + mean(differences);
  if (equal) return settle(verdict, Status::pass, ReasonCode::equal, extent(base) + ", equal in every step");
  if (!(scale > 0)) {
    return settle(verdict, Status::inconclusive, ReasonCode::baseline_non_finite,
                  "the base's final loss is zero, so no relative change exists");
  }
  for (double& difference : differences) difference /= scale;
  settle_by_interval(differences, extent(base), limits, verdict);
}

}  // namespace stepgate
