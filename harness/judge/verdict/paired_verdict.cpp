#include "judge/verdict/paired_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/record/fact_kind.h"
#include "core/stored/metric_margins.h"
#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "judge/rules/timed_comparison.h"
#include "judge/rules/value_change.h"
#include "judge/verdict/unstable_queue.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::vector<double> session_logs(const Metric& metric, const PairedContext& context) {
  std::vector<double> result;
  for (const auto& log : cluster_log_means(context.clusters, std::string(metric.name))) {
    if (log) result.push_back(worse_sign(metric) * *log);
  }
  return result;
}

const std::vector<Pair>* find_pairs(const PairedContext& context, std::string_view metric) {
  const auto& timed = pairs_of(context.input)->timed;
  const auto at = timed.find(std::string(metric));
  return at == timed.end() || at->second.empty() ? nullptr : &at->second;
}

std::string mismatch_text(const std::vector<FingerprintMismatch>& mismatches) {
  std::string text;
  for (const FingerprintMismatch& mismatch : mismatches) {
    text += fmt::format("{}{}: base '{}', head '{}'", text.empty() ? "" : "; ", mismatch.key, mismatch.expected,
                        mismatch.found.empty() ? "(unknown)" : mismatch.found);
  }
  return text;
}

/// How many pairs count for nothing, and why: without this a reader could not tell what to change.
std::string left_out_text(const PairedValues& pairs) {
  std::string text = fmt::format("{} discarded", pairs.tainted_pairs);
  if (!pairs.why_tainted.empty()) text += fmt::format(", the last one for {}", pairs.why_tainted);
  if (pairs.set_aside_pairs > 0) text += fmt::format("; {} set aside", pairs.set_aside_pairs);
  return text;
}

void settle_without_pairs(const PairedContext& context, MetricVerdict& verdict) {
  const auto& lost = pairs_of(context.input)->lost;
  if (const auto why = lost.find(verdict.metric); why != lost.end()) return settle_missing(verdict, why->second);
  if (!pairs_of(context.input)->timed.empty() && context.input.current.timed.contains(verdict.metric))
    return settle(verdict, Status::not_judged, ReasonCode::new_metric, "the base build does not measure it");
  const std::int64_t tainted = pairs_of(context.input)->tainted_pairs;
  verdict.more_replicates = context.rule.plan().analyses.front().pairs;
  const std::int64_t set_aside = pairs_of(context.input)->set_aside_pairs;
  if (tainted + set_aside > 0) {
    settle(verdict, Status::inconclusive, ReasonCode::too_few_clean_pairs,
           "no clean pair; " + left_out_text(*pairs_of(context.input)));
  } else {
    settle(verdict, Status::inconclusive, ReasonCode::no_pairs, "no pair measured it on both sides");
  }
}

/// What a moved control withholds of a red: ", which explains at most +0.99 % of it"; ": the base differs from its own
/// copy, so something disturbs one side; that may explain up to +12.3 %, and a red would have to lie beyond +13.4 %".
std::string withheld_text(const PairedComparison& comparison, double explained, const Margins& margins, bool stays) {
  const std::string part = change_text(value_change(comparison.metric, std::expm1(explained)));
  if (stays) return fmt::format(", which explains at most {} of it", part);
  const std::string why = ": the base differs from its own copy, so something disturbs one side";
  if (!std::isfinite(explained)) return why;
  const std::string beyond = limit_text(comparison.metric, std::expm1(std::log1p(margins.ignore) + explained));
  return fmt::format("{}; that may explain up to {}, and a red would have to lie beyond {}", why, part, beyond);
}

void settle_red(const PairedComparison& comparison, const PairedContext& context, const std::string& figures,
                MetricVerdict& verdict) {
  const std::string detail = fmt::format("{}; {}", figures, describe(context.control));
  if (context.control.outcome != ControlCheck::Outcome::moved)
    return settle(verdict, Status::regressed, ReasonCode::regressed, detail);
  const double factor =
      control_factor(pairs_of(context.input)->control, context.input.current.case_name, comparison.metric);
  const double explained = explained_by_control(context.control, factor);
  const Margins margins = margins_of(context.input.policy, comparison.metric.name);
  const bool stays = stays_red(comparison.decision, margins, explained);
  settle(verdict, stays ? Status::regressed : Status::inconclusive,
         stays ? ReasonCode::regressed : ReasonCode::control_moved,
         detail + withheld_text(comparison, explained, margins, stays));
}

void settle_undecided(const PairedComparison& comparison, const PairedContext& context, const std::string& figures,
                      MetricVerdict& verdict) {
  const PairedDecision& decision = comparison.decision;
  verdict.more_replicates = decision.more_pairs;
  const std::string advice =
      decision.more_pairs
          ? fmt::format("{} would decide it if nothing else changes", counted(*decision.more_pairs, "more pair"))
          : fmt::format("no number of pairs up to {} would decide it", most_pairs(context.rule.plan()));
  const auto had = std::ssize(comparison.logs.differences);
  const bool more_to_come =
      !pairs_of(context.input)->finished && next_interim_analysis(context.rule.plan(), had).has_value();
  const std::int64_t tainted = pairs_of(context.input)->tainted_pairs;
  if (!more_to_come && decision.reason == ReasonCode::too_few_pairs && tainted > had) {
    return settle(verdict, Status::inconclusive, ReasonCode::too_few_clean_pairs,
                  fmt::format("{}; {} clean, {}", figures, had, left_out_text(*pairs_of(context.input))));
  }
  settle(verdict, Status::inconclusive, more_to_come ? ReasonCode::more_pairs_needed : decision.reason,
         fmt::format("{}; {}", figures, advice));
}

void settle_by_call(const PairedComparison& comparison, const PairedContext& context, MetricVerdict& verdict) {
  std::string figures = describe(comparison, verdict);
  if (const std::string moved = describe(comparison.machine); !moved.empty()) figures += "; " + moved;
  switch (comparison.decision.call) {
    case Call::pass:
      if (!comparison.metric.follows) verdict.more_replicates = comparison.decision.improved_after;
      return settle(verdict, Status::pass, ReasonCode::within_limit, figures);
    case Call::improved:
      return settle(verdict, Status::improved, ReasonCode::faster, figures);
    case Call::regressed:
      return settle_red(comparison, context, figures, verdict);
    case Call::inconclusive:
      return settle_undecided(comparison, context, figures, verdict);
  }
}

}  // namespace

PairedContext paired_context(const Comparison& input) {
  const ErrorShares total{.red = input.policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses)),
                          .pass = input.policy.beta};
  const std::int64_t most = pairs_of(input)->most_pairs;
  const auto rule_of = [&](const PairPlan& plan) {
    return PairRule(most > 0 ? pair_plan_up_to(most, plan) : plan, total);
  };
  PairedContext context{
      input, rule_of(default_pair_plan()), rule_of(following_pair_plan()), check_control(pairs_of(input)->control), {}};
  if (input.runner && !incompatible(input.runner_mismatches)) {
    context.clusters = session_clusters(input.runner->sessions, input.policy.session_gap_s);
  }
  return context;
}

std::optional<PairedComparison> compare_pairs(const Metric& metric, const PairedContext& context) {
  const std::vector<Pair>* pairs = find_pairs(context, metric.name);
  if (pairs == nullptr) return std::nullopt;
  auto logs = pair_logs(*pairs, worse_sign(metric));
  if (!logs) return std::nullopt;
  const Margins margins = margins_of(context.input.policy, metric.name);
  const PairRule& rule = metric.follows ? context.following_rule : context.rule;
  const PairedDecision decision = decide_pairs(logs->differences, margins, rule, {logs->base, logs->head});
  const MachineCheck machine = check_machine(logs->base, session_logs(metric, context), context.input.policy);
  return PairedComparison{metric, std::move(*logs), decision, machine};
}

void fill_figures(const PairedComparison& comparison, const PairedContext& context, MetricVerdict& verdict) {
  const PairedDecision& decision = comparison.decision;
  const PairLogs& logs = comparison.logs;
  const auto seen = static_cast<std::size_t>(decision.analysis > 0 ? decision.analysis : std::ssize(logs.differences));
  const double sign = worse_sign(comparison.metric);
  verdict.baseline = std::exp(sign * mean(std::span(logs.base).first(seen)));
  verdict.current = std::exp(sign * mean(std::span(logs.head).first(seen)));
  verdict.change = value_change(comparison.metric, std::expm1(mean(std::span(logs.differences).first(seen))));
  // Before the first interim analysis nothing bounds the change, so there is no interval to show.
  if (std::isfinite(decision.interval.upper)) verdict.interval = value_change(comparison.metric, decision.interval);
  verdict.limit = limit_text(comparison.metric, margins_of(context.input.policy, comparison.metric.name).ignore);
  verdict.detectable_change = decision.detectable_change;
}

std::string describe(const PairedComparison& comparison, const MetricVerdict& verdict) {
  const std::int64_t analysis = comparison.decision.analysis;
  const std::int64_t pairs = analysis > 0 ? analysis : std::ssize(comparison.logs.differences);
  const std::string interval =
      verdict.interval ? " " + interval_text(verdict.interval->lower, verdict.interval->upper) : "";
  return fmt::format("{} -> {}, {}{} over {}", quantity_text(comparison.metric.unit, *verdict.baseline),
                     quantity_text(comparison.metric.unit, *verdict.current), change_text(*verdict.change), interval,
                     counted(pairs, "pair"));
}

MetricVerdict judge_pairs(const Metric& metric, const PairedContext& context) {
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  const CaseValues& current = context.input.current;
  if (incompatible(paired_reference(context.input)->mismatches)) {
    settle(verdict, Status::no_baseline, ReasonCode::incompatible_builds,
           "the two builds cannot be compared: " + mismatch_text(paired_reference(context.input)->mismatches));
    return verdict;
  }
  if (auto unstable = judge_unstable_queue(metric, context.input)) return *std::move(unstable);
  if (find_pairs(context, metric.name) == nullptr) {
    settle_without_pairs(context, verdict);
    return verdict;
  }
  const auto comparison = compare_pairs(metric, context);
  if (!comparison) {
    settle(verdict, Status::failed, ReasonCode::not_positive, "a time of a pair is zero, negative or not finite");
    return verdict;
  }
  fill_figures(*comparison, context, verdict);
  if (2 * current.unsteady > current.clean_timed) {
    settle(verdict, Status::inconclusive, ReasonCode::not_steady,
           fmt::format("{} ({} of {} processes were not steady)", current.unsteady_reasons.front(), current.unsteady,
                       current.clean_timed));
    return verdict;
  }
  settle_by_call(*comparison, context, verdict);
  return verdict;
}

}  // namespace stepgate
