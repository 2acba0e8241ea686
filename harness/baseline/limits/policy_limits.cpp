#include "baseline/limits/policy_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "baseline/limits/case_limit_changes.h"
#include "baseline/limits/limit_texts.h"
#include "baseline/limits/number_change.h"
#include "core/record/evidence_key.h"
#include "core/stored/case_budgets.h"
#include "core/stored/gating_rates.h"
#include "core/stored/metric_margins.h"
#include "core/stored/varying_metric.h"

namespace stepgate {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Two policies and what was found so far.
struct Compared {
  const PolicySides& sides;
  std::vector<LimitChange> found = {};

  void add(LimitSubject subject, LimitMove move, LimitChange texts) {
    texts.subject = subject;
    texts.move = move;
    texts.suite = sides.suite;
    if (texts.place.empty()) texts.place = sides.suite;
    found.push_back(std::move(texts));
  }
};

LimitMove move_of(const NumberChange& change) {
  if (change.looser == Looser::unknown) return LimitMove::changed;
  return (change.after > change.before) == (change.looser == Looser::higher) ? LimitMove::loosened
                                                                             : LimitMove::tightened;
}

void add_number(Compared& policies, const NumberChange& change) {
  if (change.before == change.after) return;
  policies.add(
      LimitSubject::policy, move_of(change),
      {.key = change.key, .before = limit_text(change.before), .after = limit_text(change.after), .note = change.note});
}

template <typename Map>
std::set<typename Map::key_type> keys_of_both(const Map& base, const Map& head) {
  std::set<typename Map::key_type> keys;
  for (const auto& [key, value] : base) keys.insert(key);
  for (const auto& [key, value] : head) keys.insert(key);
  return keys;
}

template <typename Map>
double value_or(const Map& values, const typename Map::key_type& key, double absent) {
  const auto at = values.find(key);
  return at == values.end() ? absent : static_cast<double>(at->second);
}

template <auto Member, Looser looser>
void compare_number(std::string_view key, Compared& policies) {
  add_number(policies, {std::string(key), static_cast<double>(policies.sides.base.*Member),
                        static_cast<double>(policies.sides.head.*Member), looser});
}

/// A larger margin ignores more, and lets more pass.
void add_margins(Compared& policies, const std::string& key, const Margins& before, const Margins& after) {
  add_number(policies, {key + ".ignore", before.ignore, after.ignore, Looser::higher});
  add_number(policies, {key + ".matter", before.matter, after.matter, Looser::higher});
}

template <auto Member>
void compare_margins(std::string_view key, Compared& policies) {
  add_margins(policies, std::string(key), policies.sides.base.*Member, policies.sides.head.*Member);
}

/// Without an entry a metric has the margins of the suite and of the catalogue. Where neither side has an entry, the
/// row "margins" tells all.
void compare_metric_margins(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  for (const std::string& metric : keys_of_both(base.metric_margins, head.metric_margins))
    add_margins(policies, fmt::format("{}.{}", key, metric), margins_of(base, metric), margins_of(head, metric));
}

/// A metric that need not be decided may stay open in a case that passes.
void compare_must_decide(std::string_view key, Compared& policies) {
  const auto &base = policies.sides.base.must_decide, &head = policies.sides.head.must_decide;
  const auto add = [&](const auto& names, const auto& others, LimitMove move) {
    for (const std::string& metric : names) {
      if (others.contains(metric)) continue;
      const bool looser = move == LimitMove::loosened;
      policies.add(LimitSubject::policy, move,
                   {.key = fmt::format("{}.{}", key, metric),
                    .before = looser ? "must be decided" : "may stay open",
                    .after = looser ? "may stay open" : "must be decided"});
    }
  };
  add(base, head, LimitMove::loosened);
  add(head, base, LimitMove::tightened);
}

void compare_exact_tolerance(std::string_view key, Compared& policies) {
  const auto &base = policies.sides.base.exact_tolerance, &head = policies.sides.head.exact_tolerance;
  for (const std::string& metric : keys_of_both(base, head)) {
    add_number(policies, {fmt::format("{}.{}", key, metric), value_or(base, metric, 0), value_or(head, metric, 0),
                          Looser::higher});
  }
}

/// A higher limit keeps processes that others disturbed.
void compare_taint_limits(std::string_view key, Compared& policies) {
  const auto limit_in = [](const TaintLimits& limits, EvidenceKey evidence) {
    const auto& usual = row_of(evidence).limit;
    return value_or(limits, evidence, usual ? usual->value : no_limit);
  };
  const auto &base = policies.sides.base.taint_limits, &head = policies.sides.head.taint_limits;
  for (const EvidenceKey evidence : keys_of_both(base, head)) {
    add_number(policies, {fmt::format("{}.{}", key, name_of(evidence)), limit_in(base, evidence),
                          limit_in(head, evidence), Looser::higher});
  }
}

/// The budgets that hold for each case: "budget_cases" says for which.
void compare_budgets(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  using Change = std::pair<double, double>;
  std::map<std::string, std::map<Change, std::vector<std::string>>> changes;
  for (const std::string& name : cases) {
    const auto before = budgets_of(base, name), after = budgets_of(head, name);
    for (const std::string& metric : keys_of_both(before, after))
      changes[metric][{value_or(before, metric, no_limit), value_or(after, metric, no_limit)}].push_back(name);
  }
  for (const auto& [metric, by_change] : changes) {
    for (const auto& [change, names] : by_change) {
      add_number(policies,
                 {fmt::format("{}.{}", key, metric), change.first, change.second, Looser::higher, cases_text(names)});
    }
  }
}

void told_with_budgets(std::string_view, Compared&) {}

template <std::vector<CaseLimit> Policy::*Member, AbsoluteLimitKind kind>
void compare_case_limits(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  for (const NumberChange& change : case_limit_changes({key, kind, base.*Member, head.*Member, cases}))
    add_number(policies, change);
}

/// A rate that gates no longer may fall without a red, unless the step time shows it.
void compare_gating_rates(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  for (const std::string& rate : keys_of_both(base.gating_rates, head.gating_rates)) {
    std::map<LimitMove, std::vector<std::string>> moved;
    for (const std::string& name : cases) {
      const bool before = gates_rate(base, name, rate), after = gates_rate(head, name, rate);
      if (before != after) moved[before ? LimitMove::loosened : LimitMove::tightened].push_back(name);
    }
    for (const auto& [move, names] : moved) {
      const bool looser = move == LimitMove::loosened;
      policies.add(LimitSubject::policy, move,
                   {.key = fmt::format("{}.{}", key, rate),
                    .before = looser ? "gates" : "explains",
                    .after = looser ? "explains" : "gates",
                    .note = cases_text(names)});
    }
  }
}

/// The peak is what a measured rate is divided by. It moves `mfu_ratio` of both sides of a comparison.
void compare_peaks(std::string_view key, Compared& policies) {
  const auto &base = policies.sides.base.peak_tflop_per_s, &head = policies.sides.head.peak_tflop_per_s;
  const auto of_class = [](const auto& peaks, const std::string& runner) {
    const auto at = peaks.find(runner);
    return at == peaks.end() ? std::map<std::string, double>{} : at->second;
  };
  for (const std::string& runner : keys_of_both(base, head)) {
    const auto before = of_class(base, runner), after = of_class(head, runner);
    for (const std::string& dtype : keys_of_both(before, after)) {
      add_number(policies, {fmt::format("{}.{}.{}", key, runner, dtype), value_or(before, dtype, no_limit),
                            value_or(after, dtype, no_limit)});
    }
  }
}

/// By metric: the cases in which it is declared to vary on one side only.
void compare_varying(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  std::map<std::string, std::vector<std::string>> no_longer_judged, judged_again;
  for (const std::string& name : cases) {
    const auto before = varying_metrics(base.varying, name), after = varying_metrics(head.varying, name);
    for (const std::string& metric : after) {
      if (!varies(before, metric)) no_longer_judged[metric].push_back(name);
    }
    for (const std::string& metric : before) {
      if (!varies(after, metric)) judged_again[metric].push_back(name);
    }
  }
  const auto add = [&](const auto& metrics, LimitMove move, std::string before, std::string after) {
    for (const auto& [metric, names] : metrics) {
      policies.add(
          LimitSubject::varying, move,
          {.key = fmt::format("{}.{}", key, metric), .before = before, .after = after, .note = cases_text(names)});
    }
  };
  add(no_longer_judged, LimitMove::loosened, "judged", "varies");
  add(judged_again, LimitMove::tightened, "varies", "judged");
}

/// Case and metric -> the waiver that ends last.
std::map<std::pair<std::string, std::string>, Waiver> last_waivers(const Policy& policy,
                                                                   const std::vector<std::string>& cases) {
  std::map<std::pair<std::string, std::string>, Waiver> last;
  for (const Waiver& waiver : policy.waivers) {
    if (std::find(cases.begin(), cases.end(), waiver.case_name) == cases.end()) continue;
    Waiver& kept = last[{waiver.case_name, waiver.metric}];
    if (kept.until < waiver.until) kept = waiver;
  }
  return last;
}

void compare_waivers(std::string_view key, Compared& policies) {
  const auto& [suite, base, head, cases] = policies.sides;
  const auto before = last_waivers(base, cases), after = last_waivers(head, cases);
  for (const auto& names : keys_of_both(before, after)) {
    const auto old = before.find(names), now = after.find(names);
    const std::string until_before = old == before.end() ? "" : old->second.until;
    const std::string until_after = now == after.end() ? "" : now->second.until;
    if (until_before == until_after) continue;
    const bool longer = until_after > until_before;
    const Waiver& shown = now == after.end() ? old->second : now->second;
    policies.add(LimitSubject::waiver, longer ? LimitMove::loosened : LimitMove::tightened,
                 {.place = names.first,
                  .key = fmt::format("{}.{}", key, names.second),
                  .before = until_before.empty() ? "none" : "until " + until_before,
                  .after = until_after.empty() ? "none" : "until " + until_after,
                  .note = fmt::format("{}: {}", shown.owner, shown.reason)});
  }
}

void compare_loosening(std::string_view key, Compared& policies) {
  const LooseningRule before = policies.sides.base.loosening, after = policies.sides.head.loosening;
  if (before == after) return;
  policies.add(LimitSubject::policy, after == LooseningRule::shown ? LimitMove::loosened : LimitMove::tightened,
               {.key = std::string(key), .before = std::string(name_of(before)), .after = std::string(name_of(after))});
}

struct PolicyLimit {
  std::string_view key;
  void (*compare)(std::string_view key, Compared& policies);
};

/// One row for each key of policy.json, with the direction in which it lets more pass.
constexpr PolicyLimit policy_limits[] = {
    {"margins", compare_margins<&Policy::margins>},
    {"metric_margins", compare_metric_margins},
    {"must_decide", compare_must_decide},
    // A lower rate of false reds needs more evidence for a red, a higher rate of false passes less for a pass.
    {"alpha", compare_number<&Policy::alpha, Looser::lower>},
    {"beta", compare_number<&Policy::beta, Looser::higher>},
    // More assumed spread makes both reds and passes rarer.
    {"prior_spread", compare_number<&Policy::prior_spread, Looser::unknown>},
    {"prior_weight", compare_number<&Policy::prior_weight, Looser::unknown>},
    {"session_gap_s", compare_number<&Policy::session_gap_s, Looser::unknown>},
    {"confirmed_sessions", compare_number<&Policy::confirmed_sessions, Looser::higher>},
    {"coarse_limit", compare_number<&Policy::coarse_limit, Looser::higher>},
    {"min_clean_replicates", compare_number<&Policy::min_clean_replicates, Looser::lower>},
    {"exact_tolerance", compare_exact_tolerance},
    {"bytes_tolerance", compare_number<&Policy::bytes_tolerance, Looser::higher>},
    {"bytes_relative_tolerance", compare_number<&Policy::bytes_relative_tolerance, Looser::higher>},
    {"loss_rtol", compare_number<&Policy::loss_rtol, Looser::higher>},
    {"loss_atol", compare_number<&Policy::loss_atol, Looser::higher>},
    {"grad_norm_rtol", compare_number<&Policy::grad_norm_rtol, Looser::higher>},
    {"low_precision_rtol", compare_number<&Policy::low_precision_rtol, Looser::higher>},
    {"final_loss_margins", compare_margins<&Policy::final_loss_margins>},
    {"numeric_steps", compare_number<&Policy::numeric_steps, Looser::lower>},
    {"taint_limits", compare_taint_limits},
    {"peak_tflop_per_s", compare_peaks},
    {"budgets", compare_budgets},
    {"budget_cases", told_with_budgets},
    {"floors", compare_case_limits<&Policy::floors, AbsoluteLimitKind::floor>},
    {"case_budgets", compare_case_limits<&Policy::case_budgets, AbsoluteLimitKind::budget>},
    {"targets", compare_case_limits<&Policy::targets, AbsoluteLimitKind::target>},
    {"gating_rates", compare_gating_rates},
    {"varying", compare_varying},
    {"waivers", compare_waivers},
    {"loosening", compare_loosening},
};

}  // namespace

std::vector<LimitChange> policy_changes(const PolicySides& sides) {
  Compared policies{sides};
  for (const PolicyLimit& limit : policy_limits) limit.compare(limit.key, policies);
  return std::move(policies.found);
}

}  // namespace stepgate
