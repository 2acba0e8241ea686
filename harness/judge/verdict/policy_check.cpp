#include "judge/verdict/policy_check.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/error.h"
#include "core/metric.h"

namespace stepgate {
namespace {

void require(bool holds, const std::string& key, const std::string& range) {
  if (holds) return;
  throw Error(ErrorKind::usage, fmt::format("policy key '{}' must be {}", key, range),
              fmt::format("correct '{}' in the suite's policy.json", key));
}

// The same numbers as in json/stored/policy_json.cpp, which say where they come from.
constexpr double smallest_error_rate = 1e-6;
constexpr std::int64_t largest_tolerance = std::int64_t{1} << 53;

bool finite_from_zero(double value) { return std::isfinite(value) && value >= 0; }
bool is_error_rate(double value) { return value >= smallest_error_rate && value <= 0.5; }
bool is_tolerance(std::int64_t value) { return value >= 0 && value <= largest_tolerance; }

void check_margins(const Margins& margins, const std::string& key) {
  require(finite_from_zero(margins.ignore), key + ".ignore", "0 or more");
  require(std::isfinite(margins.matter) && margins.matter > margins.ignore, key + ".matter", "above the ignore margin");
}

void check_errors_and_spread(const Policy& policy) {
  require(is_error_rate(policy.alpha), "alpha", "from 1e-6 to 0.5");
  require(is_error_rate(policy.beta), "beta", "from 1e-6 to 0.5");
  require(finite_from_zero(policy.prior_spread), "prior_spread", "0 or more");
  // One session has no spread: without a prior there would be no degree of freedom.
  require(std::isfinite(policy.prior_weight) && policy.prior_weight > 0, "prior_weight", "above 0");
  require(finite_from_zero(policy.session_gap_s), "session_gap_s", "0 or more");
  require(policy.confirmed_sessions >= 1, "confirmed_sessions", "1 or more");
  require(finite_from_zero(policy.coarse_limit), "coarse_limit", "0 or more");
  require(policy.min_clean_replicates >= 1, "min_clean_replicates", "1 or more");
}

void check_tolerances(const Policy& policy) {
  for (const auto& [metric, tolerance] : policy.exact_tolerance) {
    const Metric* row = find_metric(metric);
    require(row == nullptr || row->reference != Reference::always_zero, "exact_tolerance." + metric,
            "left out: above 0 it is red under any tolerance, and a known one needs a waiver");
    require(is_tolerance(tolerance), "exact_tolerance." + metric, "from 0 to 2^53");
  }
  require(is_tolerance(policy.bytes_tolerance), "bytes_tolerance", "from 0 to 2^53");
  require(finite_from_zero(policy.bytes_relative_tolerance), "bytes_relative_tolerance", "0 or more");
  require(finite_from_zero(policy.loss_rtol), "loss_rtol", "0 or more");
  require(finite_from_zero(policy.loss_atol), "loss_atol", "0 or more");
  require(finite_from_zero(policy.grad_norm_rtol), "grad_norm_rtol", "0 or more");
  require(finite_from_zero(policy.low_precision_rtol), "low_precision_rtol", "0 or more");
  require(policy.numeric_steps >= 1, "numeric_steps", "1 or more");
}

void check_limits(const std::vector<CaseLimit>& limits, const std::string& key) {
  for (const CaseLimit& limit : limits)
    require(std::isfinite(limit.value) && limit.value > 0, key + "." + limit.metric, "above 0");
}

/// The same day of the next year; of a leap day the one before.
std::string a_year_after(std::string_view today) {
  const std::string day = today.ends_with("-02-29") ? "-02-28" : std::string(today.substr(4));
  return fmt::format("{:04}{}", std::stoi(std::string(today.substr(0, 4))) + 1, day);
}

}  // namespace

bool is_date(std::string_view text) {
  constexpr std::string_view pattern = "0000-00-00";
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (pattern[i] == '0' ? !digit : text[i] != pattern[i]) return false;
  }
  return true;
}

void check_policy(const Policy& policy) {
  check_margins(policy.margins, "margins");
  for (const auto& [metric, margins] : policy.metric_margins) check_margins(margins, "metric_margins." + metric);
  check_margins(policy.final_loss_margins, "final_loss_margins");
  check_errors_and_spread(policy);
  check_tolerances(policy);
  for (const auto& [metric, most] : policy.budgets) {
    require(std::isfinite(most) && most > 0, "budgets." + metric, "above 0");
  }
  check_limits(policy.floors, "floors");
  check_limits(policy.case_budgets, "case_budgets");
  check_limits(policy.targets, "targets");
  for (const Waiver& waiver : policy.waivers) {
    require(is_date(waiver.until), "waivers.until", fmt::format("a date like 2026-12-31, not '{}'", waiver.until));
  }
}

void check_waiver_ends(const Policy& policy, std::string_view today, const std::string& where) {
  for (std::size_t i = 0; i < policy.waivers.size(); ++i) {
    const std::string latest = a_year_after(today);
    if (policy.waivers[i].until <= latest) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: waivers[{}].until is {}, more than a year from today ({})", where, i,
                            policy.waivers[i].until, today),
                fmt::format("let it end on {} at the latest, and renew it in a change of its own", latest));
  }
}

}  // namespace stepgate
