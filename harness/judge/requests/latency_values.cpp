#include "judge/requests/latency_values.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalogue/latency_metrics.h"
#include "core/text/number_format.h"
#include "core/units.h"
#include "judge/requests/open_loop_state.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using catalogue::LatencyPercentile;
using PercentileName = std::string_view LatencyPercentile::*;

/// The metrics of one kind of loop that are no percentiles.
struct LoopNames {
  const char* mean;
  const char* longest;
  PercentileName percentile;
};
constexpr LoopNames closed_names = {"latency_mean_ns", "latency_max_ns", &LatencyPercentile::metric};
constexpr LoopNames open_names = {"open_latency_mean_ns", "open_latency_max_ns", &LatencyPercentile::open_metric};

std::vector<double> as_numbers(const std::vector<std::int64_t>& times_ns) { return {times_ns.begin(), times_ns.end()}; }

void miss_all(const LoopNames& names, const std::string& reason, LatencyValues& found) {
  found.absent[names.mean] = reason;
  found.absent[names.longest] = reason;
  for (const LatencyPercentile& row : catalogue::latency_percentiles) {
    found.absent[std::string(row.*names.percentile)] = reason;
  }
}

void add_latencies(const LoopNames& names, const std::vector<std::int64_t>& latency_ns, LatencyValues& found) {
  if (latency_ns.empty()) return miss_all(names, "the pass answered no request", found);
  const std::vector<double> latencies = as_numbers(latency_ns);
  std::vector<std::string> measured = {names.longest};
  std::vector<double> probabilities = {1};
  for (const LatencyPercentile& row : catalogue::latency_percentiles) {
    std::string metric(row.*names.percentile);
    if (std::ssize(latencies) >= row.fewest_requests) {
      measured.push_back(std::move(metric));
      probabilities.push_back(row.probability);
    } else {
      found.absent[metric] = fmt::format("needs {} a process, has {}", counted(row.fewest_requests, "request"),
                                         counted(std::ssize(latencies), "request"));
    }
  }
  const std::vector<double> values = quantiles(latencies, probabilities);
  for (std::size_t i = 0; i < measured.size(); ++i) found.values[measured[i]] = values[i];
  found.values[names.mean] = mean(latencies);
}

void add_tokens(const TokenTimes& tokens, LatencyValues& found) {
  const auto add = [&](const char* metric, const std::vector<std::int64_t>& times_ns, const char* reason) {
    if (times_ns.empty()) {
      found.absent[metric] = reason;
    } else {
      found.values[metric] = mean(as_numbers(times_ns));
    }
  };
  add("first_token_ns", tokens.first_ns, "the case marks no tokens");
  add("next_token_ns", tokens.next_ns, "no request has a second token");
}

}  // namespace

LatencyValues closed_loop_values(const ClosedLoop& loop) {
  LatencyValues found;
  add_latencies(closed_names, loop.latency_ns, found);
  add_tokens(loop.tokens, found);
  if (loop.wall_ns > 0 && !loop.latency_ns.empty()) {
    found.values["requests_per_s"] =
        static_cast<double>(loop.latency_ns.size()) / (static_cast<double>(loop.wall_ns) / ns_per_s);
  } else {
    found.absent["requests_per_s"] = "the pass took no time";
  }
  return found;
}

LatencyValues open_loop_values(const OpenLoop& loop) {
  LatencyValues found;
  const std::string problem = problem_of(open_loop_state(loop), loop);
  if (problem.empty()) {
    add_latencies(open_names, loop.latency_ns, found);
  } else {
    miss_all(open_names, problem, found);
  }
  return found;
}

}  // namespace stepgate
