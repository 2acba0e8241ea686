#include "judge/verdict/shared_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/leading_time.h"
#include "core/stored/gating_rates.h"
#include "core/units.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

// The work of a step is an exact count, so the product of rate and time is one up to rounding: 1e-15 in a double.
constexpr double rounding_of_pairs = 1e-9;
// A baseline keeps five significant digits, so each value is off by up to 5e-5 and their product by twice that.
constexpr double rounding_of_sessions = 2e-4;

bool is_shared_rate(const Metric& metric) { return metric.gates && !metric.shares_test_of.empty(); }

double width(const std::vector<double>& logs) {
  if (logs.empty()) return 0;
  const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
  return *most - *least;
}

/// Whether the rule of the times said something of it that rests on its values.
bool was_compared(const MetricVerdict& verdict) {
  return verdict.status == Status::pass || verdict.status == Status::improved ||
         verdict.status == Status::inconclusive || verdict.status == Status::regressed;
}

void fail(const std::string& why, MetricVerdict& verdict) {
  verdict.more_replicates.reset();
  settle(verdict, Status::failed, ReasonCode::work_varies,
         fmt::format("{}, so the rate does not follow from a time that is tested and has no test of its own: make the "
                     "batches of all processes equal, or take it out of gating_rates of the policy; {}",
                     why, verdict.detail));
}

const std::vector<double>* values_of(const Session& session, const std::string& metric) {
  const auto at = session.timed.find(metric);
  return at == session.timed.end() || at->second.empty() ? nullptr : &at->second;
}

/// The mean of the logarithms of its values; absent where it has none.
std::optional<double> log_of(const Session& session, const std::string& metric) {
  const std::vector<double>* values = values_of(session, metric);
  return values == nullptr ? std::nullopt : log_mean(*values);
}

/// Sets a rate of each session that has the metric that it follows from: factor / from, or factor * from.
struct Derived {
  std::string rate;
  std::string from;
  double factor;
  bool inverse;
};

void derive(const Derived& derived, std::vector<Session>& sessions) {
  for (Session& session : sessions) {
    const std::vector<double>* from = values_of(session, derived.from);
    if (from == nullptr) continue;
    std::vector<double> values;
    for (const double value : *from)
      values.push_back(derived.inverse ? derived.factor / value : derived.factor * value);
    session.timed[derived.rate] = std::move(values);
  }
}

std::optional<double> ratio_of_first(const CaseValues& values, const std::string& metric, const std::string& other) {
  const auto at = values.timed.find(metric);
  const auto of = values.timed.find(other);
  if (at == values.timed.end() || of == values.timed.end() || at->second.empty() || of->second.empty())
    return std::nullopt;
  return at->second.front() / of->second.front();
}

bool any_holds(const std::vector<Session>& sessions, const std::string& metric) {
  return std::any_of(sessions.begin(), sessions.end(),
                     [&](const Session& session) { return values_of(session, metric) != nullptr; });
}

/// One without FLOPs per second keeps no MFU: nobody knows by which peak it was divided.
void divide_by_peak_of(const CaseValues& current, std::vector<Session>& sessions) {
  const auto per_peak = ratio_of_first(current, "mfu_ratio", "tflop_per_s");
  if (!per_peak) return;
  for (Session& session : sessions) session.timed.erase("mfu_ratio");
  derive({.rate = "mfu_ratio", .from = "tflop_per_s", .factor = *per_peak, .inverse = false}, sessions);
}

}  // namespace

std::vector<Metric> with_gating_rates(const Comparison& input, std::vector<Metric> metrics) {
  std::vector<Metric> rates = gating_rates_of(input.policy, input.current.case_name);
  const auto is_listed = [&](const Metric& rate) {
    return std::any_of(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == rate.name; });
  };
  if (input.current.clean_timed == 0) std::erase_if(rates, [&](const Metric& rate) { return !is_listed(rate); });
  std::erase_if(metrics, [&](const Metric& metric) {
    return std::any_of(rates.begin(), rates.end(), [&](const Metric& rate) { return rate.name == metric.name; });
  });
  rates.insert(rates.end(), metrics.begin(), metrics.end());
  return rates;
}

std::optional<MetricVerdict> unmeasured_rate(const Metric& metric, const Comparison& input) {
  const auto measured = input.current.timed.find(std::string(metric.name));
  const bool is_there = measured != input.current.timed.end() && !measured->second.empty();
  if (!is_shared_rate(metric) || is_there || input.current.clean_timed == 0) return std::nullopt;
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  settle(verdict, Status::failed, ReasonCode::rate_unmeasured,
         fmt::format("the policy lets it gate, and it was not measured: {}; gating_rates of the policy names the cases "
                     "in which it gates",
                     why_absent(metric.name, input.current)));
  return verdict;
}

void require_equal_work(const Metric& metric, const PairedValues& pairs, MetricVerdict& verdict) {
  if (!is_shared_rate(metric) || !was_compared(verdict)) return;
  const auto rates = pairs.timed.find(std::string(metric.name));
  const auto times = pairs.timed.find(shared_time(metric.shares_test_of, pairs.timed));
  if (rates == pairs.timed.end()) return;
  if (times == pairs.timed.end() || times->second.size() != rates->second.size())
    return fail("not every pair has the time that it follows from", verdict);
  std::vector<double> work;  // ln(work of the head's step / work of the base's)
  for (std::size_t i = 0; i < rates->second.size(); ++i) {
    const Pair& rate = rates->second[i];
    const Pair& time = times->second[i];
    work.push_back(std::log(rate.head / rate.base) + std::log(time.head / time.base));
  }
  if (width(work) > rounding_of_pairs) fail("the work of a step differs from pair to pair", verdict);
}

void require_equal_work(const Metric& metric, const std::vector<SessionCluster>& clusters, MetricVerdict& verdict) {
  if (!is_shared_rate(metric) || !was_compared(verdict)) return;
  std::vector<double> work;  // ln(work of a step), session by session
  bool all = true;
  for (const SessionCluster& cluster : clusters) {
    for (const Session* session : cluster) {
      const auto rate = log_of(*session, std::string(metric.name));
      const auto time = log_of(*session, shared_time(metric.shares_test_of, session->timed));
      all = all && rate.has_value() == time.has_value();
      if (rate && time) work.push_back(*rate + *time);
    }
  }
  if (!all) {
    verdict.more_replicates.reset();
    settle(verdict, Status::not_judged, ReasonCode::new_metric, "some of the stored sessions are older than this rate");
  } else if (width(work) > rounding_of_sessions) {
    fail("the work of a step differs from session to session", verdict);
  }
}

std::vector<Session> sessions_with_rates(const Comparison& input) {
  const std::vector<Session>& stored = input.runner->sessions;
  const bool gates = !gating_rates_of(input.policy, input.current.case_name).empty();
  if (!gates && !any_holds(stored, "mfu_ratio")) return {};  // copying them takes time in a suite of many cases
  std::vector<Session> sessions = stored;
  divide_by_peak_of(input.current, sessions);
  if (gates) {
    const std::string time = shared_time("step_time_mean_ns", input.current.timed);
    derive({.rate = "steps_per_s", .from = time, .factor = ns_per_s, .inverse = true}, sessions);
  }
  return sessions;
}

}  // namespace stepgate
