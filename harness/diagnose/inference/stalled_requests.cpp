#include "diagnose/inference/stalled_requests.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions_of_inference.h"

namespace stepgate {
namespace {

/// Slow requests that explain less than half of the increase are not "the" cause.
constexpr double leading_share_of_stalls = 0.5;

/// The value that more than half of the processes have; `none` where there is no such value.
template <typename Value>
Value common_value(const std::vector<SlowRequests>& processes, Value SlowRequests::*value, Value none) {
  std::map<Value, std::size_t> counts;
  for (const SlowRequests& process : processes) ++counts[process.*value];
  for (const auto& [each, count] : counts) {
    if (2 * count > processes.size()) return each;
  }
  return none;
}

std::vector<SlowRequests> of_base(const JudgedComparison& input) {
  const PairedReference* paired = paired_reference(input);
  return paired == nullptr ? std::vector<SlowRequests>{} : paired->slow_requests;
}

/// What slow requests add to the mean, beyond what they added before.
double added_to_mean(const JudgedComparison& input, const SlowRequests& now) {
  const auto before = slow_requests_of(of_base(input));
  return now.share_of_mean_ns() - (before ? before->share_of_mean_ns() : 0);
}

double relative_rise(const TimedPair& pair) { return pair.before > 0 ? pair.difference() / pair.before : 0; }

/// Whether the median rose by less than half as much as this latency, relative to what each was: then most requests are
/// as fast as before. Slower code alone stretches both alike.
bool leaves_median(const JudgedComparison& input, const TimedPair& latency) {
  const auto median = timed_pair(input, "latency_p50_ns");
  const double rise = relative_rise(latency);
  return median && rise > 0 && relative_rise(*median) < leading_share_of_stalls * rise;
}

/// "20 of 1 000 requests, every 50th, take 4.1 ms longer than the median of 1.2 ms"
std::string stalls_text(const SlowRequests& slow) {
  return fmt::format("{} of {}{} take {} longer than the median of {}", count_text(static_cast<double>(slow.slow)),
                     counted(slow.requests, "request"), slow.every > 1 ? fmt::format(", every {}th,", slow.every) : "",
                     duration_text(slow.extra_ns), duration_text(slow.typical_ns));
}

std::string stalls_before_text(const JudgedComparison& input) {
  const auto before = slow_requests_of(of_base(input));
  if (!before) return "";
  if (before->slow == 0) return "; before none did";
  return fmt::format("; before {} of {}, by {}", count_text(static_cast<double>(before->slow)),
                     count_text(static_cast<double>(before->requests)), duration_text(before->extra_ns));
}

/// "the slowest requests take longer: P99 8.1 ms -> 11.2 ms, where the median is 7.0 ms -> 7.1 ms"
std::string tail_text(const JudgedComparison& input) {
  const auto tail = timed_pair(input, "latency_p99_ns");
  const auto median = timed_pair(input, "latency_p50_ns");
  if (!tail || !median) return "the slowest requests take longer";
  return fmt::format("the slowest requests take longer: P99 {} -> {}, where the median is {} -> {}",
                     duration_text(tail->before), duration_text(tail->now), duration_text(median->before),
                     duration_text(median->now));
}

/// The other latencies that are longer for certain, beside the first.
std::vector<std::string> other_red_latencies(const JudgedComparison& input, const std::string& first) {
  std::vector<std::string> names;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const bool red = is_latency(verdict.metric) && verdict.status == Status::regressed;
    if (red && verdict.metric != first) names.push_back(verdict.metric);
  }
  return names;
}

}  // namespace

std::optional<SlowRequests> slow_requests_of(const std::vector<SlowRequests>& processes) {
  if (processes.empty()) return std::nullopt;
  SlowRequests all;
  double extra = 0;
  double typical = 0;
  for (const SlowRequests& process : processes) {
    all.requests += process.requests;
    all.slow += process.slow;
    extra += process.extra_ns * static_cast<double>(process.slow);
    typical += process.typical_ns;
  }
  all.extra_ns = all.slow == 0 ? 0 : extra / static_cast<double>(all.slow);
  all.typical_ns = typical / static_cast<double>(processes.size());
  all.every = common_value(processes, &SlowRequests::every, std::int64_t{0});
  all.boundary = common_value(processes, &SlowRequests::boundary, std::string());
  return all;
}

std::string stalled_latency(const JudgedComparison& input) {
  const auto now = slow_requests_of(input.current.slow_requests);
  const auto mean = timed_pair(input, "latency_mean_ns");
  const bool adds = now && mean && added_to_mean(input, *now) >= leading_share_of_stalls * mean->difference();
  if (adds && is_red(input, "latency_mean_ns") && leaves_median(input, *mean)) return "latency_mean_ns";
  const auto tail = timed_pair(input, "latency_p99_ns");
  return tail && is_red(input, "latency_p99_ns") && leaves_median(input, *tail) ? "latency_p99_ns" : "";
}

std::vector<Finding> explain_stalls(const JudgedComparison& input) {
  const std::string metric = stalled_latency(input);
  if (metric.empty()) return {};
  const SlowRequests slow = slow_requests_of(input.current.slow_requests).value_or(SlowRequests{});
  const std::string what = slow.slow > 0 ? stalls_text(slow) + stalls_before_text(input) : tail_text(input);
  return {{.code = FindingCode::requests_stall,
           .severity = Severity::cause,
           .message = slow.boundary.empty() ? what : slow.boundary + ": " + what,
           .advice = slow.every > 1
                         ? "look for what comes at fixed intervals: a log or a cache that is written, state "
                           "that is rebuilt, a check that runs now and then."
                         : "look for what only some requests do: other lengths, a cache that misses, a lock, "
                           "memory that is taken from the kernel and given back.",
           .metric = metric,
           .boundary = slow.boundary,
           .also = other_red_latencies(input, metric)}};
}

}  // namespace stepgate
