#include "judge/verdict/late_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/record/loss_sequences.h"
#include "core/text/number_format.h"
#include "core/verdict/late_break.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "judge/rules/comparable.h"
#include "judge/rules/numeric_rule.h"

namespace stepgate {
namespace {

using Trajectories = std::vector<Trajectory>;

MetricVerdict* find_verdict(std::vector<MetricVerdict>& verdicts, std::string_view metric) {
  const auto at = std::find_if(verdicts.begin(), verdicts.end(),
                               [&](const MetricVerdict& verdict) { return verdict.metric == metric; });
  return at == verdicts.end() ? nullptr : &*at;
}

void judge_late_breaks(const Comparison& input, std::vector<MetricVerdict>& verdicts) {
  for (const LateBreak& one : late_breaks(input.current.losses)) {
    if (break_of_base(losses_of_base(input), one)) continue;
    MetricVerdict* verdict = find_verdict(verdicts, one.metric);
    if (verdict == nullptr) {
      Metric metric = *find_metric(one.metric);
      metric.name = one.metric;
      verdict = &verdicts.emplace_back(open_verdict(metric, exact_side(input).scope));
    }
    if (verdict->reason == ReasonCode::non_finite) continue;  // in a step of the numerics pass
    verdict->baseline.reset();
    verdict->change.reset();
    verdict->current.reset();  // no document holds such a number; the sentence does
    settle(*verdict, Status::regressed, ReasonCode::non_finite, text_of(one));
  }
}

/// Both sides of one loss in one pass.
struct Sides {
  std::string pass;
  const Trajectories& now;
  const Trajectories& before;
};

/// At least two processes show that a side repeats.
bool repeats(const Trajectories& processes, std::size_t least) {
  return processes.size() >= least && !processes.front().empty() &&
         std::all_of(processes.begin(), processes.end(),
                     [&](const Trajectory& one) { return one == processes.front(); });
}

/// The first step out of tolerance; of those from `horizon` on only where all before it agree to the bit.
std::optional<std::size_t> first_outside(const Sides& sides, const NumericTolerance& tolerance, std::size_t horizon) {
  const Trajectory& now = sides.now.front();
  const Trajectory& before = sides.before.front();
  const auto different = std::mismatch(now.begin(), now.end(), before.begin(), before.end()).first - now.begin();
  const auto first = static_cast<std::size_t>(different);
  const std::size_t end = first < horizon ? std::min(horizon, now.size()) : now.size();
  for (std::size_t step = first; step < end; ++step) {
    const double distance = std::abs(now[step] - before[step]);
    if (std::isfinite(distance) && distance > tolerance.atol + tolerance.rtol * std::abs(before[step])) return step;
  }
  return std::nullopt;
}

void compare_late(const Comparison& input, const Sides& sides, MetricVerdict& verdict) {
  if (sides.now.front().size() != sides.before.front().size()) return;
  const NumericTolerance tolerance =
      numeric_tolerance(input.policy, verdict.metric, {verdict.scope, dtype_of(input.current.exact_fingerprint)});
  const auto step = first_outside(sides, tolerance, static_cast<std::size_t>(input.policy.numeric_steps));
  if (!step) return;
  const double before = sides.before.front()[*step];
  verdict.baseline = before;
  verdict.current = sides.now.front()[*step];
  verdict.change.reset();
  if (before != 0) verdict.change = (*verdict.current - before) / std::abs(before);
  settle(verdict, Status::regressed, ReasonCode::numerics_changed,
         fmt::format("out of tolerance from step {} of pass {} on: {:.7g} -> {:.7g}{}", *step, sides.pass, before,
                     *verdict.current, verdict.change ? fmt::format(" ({})", change_text(*verdict.change)) : ""));
}

/// Steps of the numerics pass beyond those that its rule compares.
void judge_late_numerics(const Comparison& input, MetricVerdict& verdict) {
  if (!input.exact || !input.exact->numerics) return;
  const Trajectory* const stored = numeric_sequence(*input.exact->numerics, verdict.metric);
  Trajectories now;
  for (const NumericTrace& trace : input.current.numerics) {
    if (const Trajectory* values = numeric_sequence(trace, verdict.metric)) now.push_back(*values);
  }
  // A baseline that is rounded has the values of one process: the others may have had others in later steps.
  if (stored == nullptr || input.exact->numerics->rounded || !repeats(now, 2)) return;
  const Trajectories before = {*stored};
  compare_late(input, {"numerics", now, before}, verdict);
}

/// Losses of that pass, one sequence a process that kept them.
Trajectories values_in(const std::vector<ProcessLosses>& processes, const std::string& pass) {
  Trajectories values;
  for (const ProcessLosses& process : processes) {
    const auto at = process.passes.find(pass);
    if (at != process.passes.end() && !at->second.values.empty()) values.push_back(at->second.values);
  }
  return values;
}

void judge_other_passes(const Comparison& input, MetricVerdict& verdict) {
  std::set<std::string> passes;
  for (const ProcessLosses& process : input.current.losses) {
    for (const auto& [pass, losses] : process.passes) passes.insert(pass);
  }
  for (const std::string& pass : passes) {
    const Trajectories now = values_in(input.current.losses, pass);
    const Trajectories before = values_in(losses_of_base(input), pass);
    if (verdict.status != Status::pass || !repeats(now, 2) || !repeats(before, 2)) continue;
    compare_late(input, {pass, now, before}, verdict);
  }
}

}  // namespace

void judge_late_losses(const Comparison& input, std::vector<MetricVerdict>& verdicts) {
  for (MetricVerdict& verdict : verdicts) {
    const bool is_loss =
        verdict.metric == "loss" || member_of(further_loss_family, member_name(verdict.metric)) == verdict.metric;
    // A loss that passes is one that could be compared, and that the policy does not declare to vary.
    if (is_loss && verdict.status == Status::pass) judge_late_numerics(input, verdict);
    if (verdict.metric == "loss" && verdict.status == Status::pass) judge_other_passes(input, verdict);
  }
  judge_late_breaks(input, verdicts);
}

std::optional<JudgedLosses> judged_losses(const Comparison& input) {
  if (input.current.losses.empty()) return std::nullopt;
  JudgedLosses judged;
  for (const ProcessLosses& process : input.current.losses) {
    for (const auto& [pass, losses] : process.passes) {
      judged.steps += losses.steps;
      judged.seen += losses.seen;
      judged.last_step = std::max(judged.last_step, losses.last_seen);
    }
  }
  for (const NumericTrace& trace : input.current.numerics) {
    judged.steps += std::ssize(trace.loss);
    judged.seen += std::ssize(trace.loss);
    judged.last_step = std::max<std::int64_t>(judged.last_step, std::ssize(trace.loss) - 1);
    if (!input.judge_exact || !input.exact || !input.exact->numerics) continue;
    judged.compared = std::min<std::int64_t>(input.policy.numeric_steps, std::ssize(trace.loss));
  }
  return judged;
}

}  // namespace stepgate
