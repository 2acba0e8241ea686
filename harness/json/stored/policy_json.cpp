#include "json/stored/policy_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "core/text/reason_text.h"
#include "json/records/evidence_value.h"
#include "json/stored/case_limit_value.h"
#include "json/text/canonical_text.h"
#include "json/text/metric_keys.h"

namespace stepgate {
namespace {

/// The range of a number; schemas/policy.schema.json states the same ranges.
struct Range {
  std::string_view description;
  bool (*holds)(double);
};

// Above: a gate with an error rate of one half decides no better than a coin. Below: no noise model holds so far out in
// its tail, and the quantiles lose their digits.
constexpr Range error_rate{"between 1e-6 and 0.5, the latter excluded", [](double x) { return x >= 1e-6 && x < 0.5; }};
// A limit of a million times the value, or of 11 days, forbids nothing; larger numbers only overflow.
constexpr double largest = 1e6;
constexpr Range positive{"above 0 and at most 1e6", [](double x) { return x > 0 && x <= largest; }};
constexpr Range not_negative{"from 0 to 1e6", [](double x) { return x >= 0 && x <= largest; }};
constexpr Range at_least_one{"from 1 to 1e6", [](double x) { return x >= 1 && x <= largest; }};
// A between-session variance needs two sessions.
constexpr Range at_least_two{"from 2 to 1e6", [](double x) { return x >= 2 && x <= largest; }};
// The unit is that of the metric or evidence key: bytes and nanoseconds are large. Up to 2^53 a double is exact.
constexpr double largest_quantity = 9007199254740992.0;
constexpr Range positive_quantity{"above 0 and at most 2^53", [](double x) { return x > 0 && x <= largest_quantity; }};
constexpr Range quantity{"from 0 to 2^53", [](double x) { return x >= 0 && x <= largest_quantity; }};

double number_in(const Reader& reader, Range range) {
  const double value = reader.number();
  // 2^53 + 1 is written as no double: it would be read as 2^53.
  const bool is_rounded = std::abs(value) >= largest_quantity && reader.is_integer_beyond_double();
  if (!range.holds(value) || is_rounded) reader.expected(fmt::format("a number {}", range.description));
  return value;
}

std::int64_t integer_in(const Reader& reader, Range range) {
  const std::int64_t value = reader.integer();
  if (!range.holds(static_cast<double>(value))) reader.expected(fmt::format("an integer {}", range.description));
  return value;
}

void read_number(Reader& reader, std::string_view key, double& value, Range range) {
  if (auto found = reader.find(key)) value = number_in(*found, range);
}

void read_integer(Reader& reader, std::string_view key, std::int64_t& value, Range range) {
  if (auto found = reader.find(key)) value = integer_in(*found, range);
}

Margins margins_at(Reader reader, Margins margins) {
  read_number(reader, "ignore", margins.ignore, positive);
  read_number(reader, "matter", margins.matter, positive);
  reader.reject_other_keys();
  if (margins.matter <= margins.ignore) {
    reader.fail(fmt::format("\"matter\" ({}) must be above \"ignore\" ({})", margins.matter, margins.ignore));
  }
  return margins;
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
  return value;
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)), day = digits(text.substr(8, 2));
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

std::string date_at(const Reader& reader) {
  const std::string text = reader.text();
  if (!is_date(text)) reader.expected("a date like \"2026-12-31\"");
  return text;
}

/// The entries that stepgate prints for copying have "..." in the place of the reason.
std::string reason_at(const Reader& reader) {
  const std::string reason = filled_text_at(reader);
  if (!says_a_reason(reason)) reader.expected("a reason that says more than dots");
  return reason;
}

Waiver waiver_at(Reader reader) {
  Waiver waiver{.case_name = filled_text_at(reader.at("case")),
                .metric = filled_text_at(reader.at("metric")),
                .owner = filled_text_at(reader.at("owner")),
                .until = date_at(reader.at("until")),
                .reason = reason_at(reader.at("reason"))};
  reader.reject_other_keys();
  check_metric(reader.at("metric"), waiver.metric, std::nullopt);
  return waiver;
}

/// Any other metric gates whatever this list says, or decides nothing.
std::string following_metric_at(const Reader& reader) {
  const std::string name = filled_text_at(reader);
  check_metric(reader, name, Tier::timed);
  const Metric& metric = *find_metric(name);
  if (!metric.follows) {
    reader.fail(metric.gates ? fmt::format("\"{}\" is decided anyway", name)
                             : fmt::format("\"{}\" decides nothing", name));
  }
  return name;
}

/// A tolerance that nothing asks for would look like a limit.
std::map<std::string, std::int64_t> exact_tolerances_at(const Reader& reader) {
  auto tolerances = metrics_at(reader, Tier::exact, [](const Reader& entry) { return integer_in(entry, quantity); });
  for (const auto& [name, allowed] : tolerances) {
    if (find_metric(name)->reference != Reference::always_zero) continue;
    reader.fail(
        fmt::format("\"{}\" is red above 0, and no tolerance holds: take it out; a known one needs a waiver", name));
  }
  return tolerances;
}

void read_statistics(Reader& reader, Policy& policy) {
  read_number(reader, "alpha", policy.alpha, error_rate);
  read_number(reader, "beta", policy.beta, error_rate);
  read_number(reader, "prior_spread", policy.prior_spread, positive);
  read_number(reader, "prior_weight", policy.prior_weight, positive);
  read_number(reader, "session_gap_s", policy.session_gap_s, not_negative);
  read_integer(reader, "confirmed_sessions", policy.confirmed_sessions, at_least_two);
  read_number(reader, "coarse_limit", policy.coarse_limit, positive);
  read_integer(reader, "min_clean_replicates", policy.min_clean_replicates, at_least_one);
}

void read_tolerances(Reader& reader, Policy& policy) {
  if (auto exact = reader.find("exact_tolerance")) policy.exact_tolerance = exact_tolerances_at(*exact);
  read_integer(reader, "bytes_tolerance", policy.bytes_tolerance, quantity);
  read_number(reader, "bytes_relative_tolerance", policy.bytes_relative_tolerance, not_negative);
  read_number(reader, "loss_rtol", policy.loss_rtol, not_negative);
  read_number(reader, "loss_atol", policy.loss_atol, not_negative);
  read_number(reader, "grad_norm_rtol", policy.grad_norm_rtol, not_negative);
  read_number(reader, "low_precision_rtol", policy.low_precision_rtol, not_negative);
  if (auto margins = reader.find("final_loss_margins")) {
    policy.final_loss_margins = margins_at(*margins, policy.final_loss_margins);
  }
  read_integer(reader, "numeric_steps", policy.numeric_steps, at_least_one);
}

double limit_at(const Reader& reader) { return number_in(reader, positive_quantity); }

/// A budget is the highest allowed value of a metric, so more must be worse.
void check_budgets(const Reader& budgets, const Policy& policy) {
  for (const auto& [name, most] : policy.budgets)
    check_direction(budgets, AbsoluteLimitKind::budget, *find_metric(name));
}

/// An entry without a budget limits nothing, and one without a case takes the budget away from all.
void check_budget_cases(const Reader& entries, const Policy& policy) {
  for (const auto& [name, patterns] : policy.budget_cases) {
    if (!policy.budgets.contains(name)) entries.fail(fmt::format("\"{}\" has no budget", name));
    if (patterns.empty()) entries.fail(fmt::format("\"{}\" names no case", name));
  }
}

/// A pattern that names nothing would leave a metric judged that was meant to vary.
std::string varying_pattern_at(const Reader& reader) {
  const std::string pattern = filled_text_at(reader);
  const Metric* named = find_metric(pattern);
  if (named != nullptr && !may_vary(*named)) reader.fail(fmt::format("\"{}\" is never judged exactly", pattern));
  if (pattern.find_first_of("*?") == std::string::npos) check_metric(reader, pattern, std::nullopt);
  const auto metrics = metric_catalogue();
  const bool known = std::any_of(metrics.begin(), metrics.end(), [&](const Metric& metric) {
    return may_vary(metric) && matches_pattern(pattern, metric.name);
  });
  if (!known && named == nullptr) reader.fail(fmt::format("\"{}\" matches no metric", pattern));
  return pattern;
}

VaryingMetrics varying_at(Reader reader) {
  VaryingMetrics entry{.cases = filled_text_at(reader.at("case")),
                       .metrics = reader.at("metrics").list_of(varying_pattern_at),
                       .reason = reason_at(reader.at("reason"))};
  reader.reject_other_keys();
  if (entry.metrics.empty()) reader.at("metrics").expected("the name of a metric");
  return entry;
}

void read_case_limits(Reader& reader, Policy& policy) {
  if (auto floors = reader.find("floors")) policy.floors = case_limits_at(*floors, AbsoluteLimitKind::floor, limit_at);
  if (auto budgets = reader.find("case_budgets"))
    policy.case_budgets = case_limits_at(*budgets, AbsoluteLimitKind::budget, limit_at);
  if (auto targets = reader.find("targets"))
    policy.targets = case_limits_at(*targets, AbsoluteLimitKind::target, limit_at);
  if (auto rates = reader.find("gating_rates")) policy.gating_rates = gating_rates_at(*rates);
}

Policy policy_at(Reader reader) {
  reader.check_schema();
  reader.find("$schema");  // for editors, which complete and check the file by this schema
  Policy policy;
  if (auto margins = reader.find("margins")) policy.margins = margins_at(*margins, policy.margins);
  const auto own_margins = [&](const Reader& value) { return margins_at(value, policy.margins); };
  if (auto own = reader.find("metric_margins")) policy.metric_margins = metrics_at(*own, Tier::timed, own_margins);
  if (auto names = reader.find("must_decide")) {
    for (std::string& name : names->list_of(following_metric_at)) policy.must_decide.insert(std::move(name));
  }
  read_statistics(reader, policy);
  read_tolerances(reader, policy);
  if (auto limits = reader.find("taint_limits")) {
    policy.taint_limits = taint_limits_at(*limits, [](const Reader& value) { return number_in(value, quantity); });
  }
  if (auto budgets = reader.find("budgets")) {
    policy.budgets = metrics_at(*budgets, std::nullopt, limit_at);
    check_budgets(*budgets, policy);
  }
  if (auto entries = reader.find("budget_cases")) {
    const auto patterns_at = [](const Reader& value) { return value.list_of(filled_text_at); };
    policy.budget_cases = metrics_at(*entries, std::nullopt, patterns_at);
    check_budget_cases(*entries, policy);
  }
  read_case_limits(reader, policy);
  if (auto peaks = reader.find("peak_tflop_per_s")) {
    const auto rate = [](const Reader& value) { return number_in(value, positive); };
    policy.peak_tflop_per_s = peaks->map_of([&](const Reader& by_dtype) { return by_dtype.map_of(rate); });
  }
  if (auto varying = reader.find("varying")) policy.varying = varying->list_of(varying_at);
  if (auto waivers = reader.find("waivers")) policy.waivers = waivers->list_of(waiver_at);
  if (auto rule = reader.find("loosening")) {
    policy.loosening = rule->one_of(loosening_rule_named, "shown, needs_consent");
  }
  reader.reject_other_keys();
  return policy;
}

Json value_of(const Margins& margins) { return {{"ignore", margins.ignore}, {"matter", margins.matter}}; }

Json value_of(const Waiver& waiver) {
  return {{"case", waiver.case_name},
          {"metric", waiver.metric},
          {"owner", waiver.owner},
          {"until", waiver.until},
          {"reason", waiver.reason}};
}

Json value_of(const VaryingMetrics& entry) {
  return {{"case", entry.cases}, {"metrics", entry.metrics}, {"reason", entry.reason}};
}

}  // namespace

std::string to_text(const Policy& policy) {
  Json document = document_of(policy_document);
  document["margins"] = value_of(policy.margins);
  Json& own_margins = document["metric_margins"] = Json::object();
  for (const auto& [metric, margins] : policy.metric_margins) own_margins[metric] = value_of(margins);
  if (!policy.must_decide.empty()) document["must_decide"] = policy.must_decide;
  document["alpha"] = policy.alpha;
  document["beta"] = policy.beta;
  document["prior_spread"] = policy.prior_spread;
  document["prior_weight"] = policy.prior_weight;
  document["session_gap_s"] = policy.session_gap_s;
  document["confirmed_sessions"] = policy.confirmed_sessions;
  document["coarse_limit"] = policy.coarse_limit;
  document["min_clean_replicates"] = policy.min_clean_replicates;
  document["exact_tolerance"] = policy.exact_tolerance;
  document["bytes_tolerance"] = policy.bytes_tolerance;
  document["bytes_relative_tolerance"] = policy.bytes_relative_tolerance;
  document["loss_rtol"] = policy.loss_rtol;
  document["loss_atol"] = policy.loss_atol;
  document["grad_norm_rtol"] = policy.grad_norm_rtol;
  document["low_precision_rtol"] = policy.low_precision_rtol;
  document["final_loss_margins"] = value_of(policy.final_loss_margins);
  document["numeric_steps"] = policy.numeric_steps;
  document["taint_limits"] = stepgate::value_of(policy.taint_limits);
  if (!policy.peak_tflop_per_s.empty()) document["peak_tflop_per_s"] = policy.peak_tflop_per_s;
  document["budgets"] = policy.budgets;
  if (!policy.budget_cases.empty()) document["budget_cases"] = policy.budget_cases;
  const auto add_limits = [&](const char* key, const std::vector<CaseLimit>& limits, AbsoluteLimitKind kind) {
    if (!limits.empty()) document[key] = stepgate::value_of(limits, kind);
  };
  add_limits("floors", policy.floors, AbsoluteLimitKind::floor);
  add_limits("case_budgets", policy.case_budgets, AbsoluteLimitKind::budget);
  add_limits("targets", policy.targets, AbsoluteLimitKind::target);
  if (!policy.gating_rates.empty()) document["gating_rates"] = policy.gating_rates;
  Json& varying = document["varying"] = Json::array();
  for (const VaryingMetrics& entry : policy.varying) varying.push_back(value_of(entry));
  Json& waivers = document["waivers"] = Json::array();
  for (const Waiver& waiver : policy.waivers) waivers.push_back(value_of(waiver));
  if (policy.loosening != LooseningRule::shown) document["loosening"] = name_of(policy.loosening);
  return canonical_text(document, {"policy", policy_document});
}

Policy policy_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, policy_document};
  const DocumentTree document = read_document(text, origin);
  return policy_at(Reader(document, origin));
}

}  // namespace stepgate
