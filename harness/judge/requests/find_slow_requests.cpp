#include "judge/requests/find_slow_requests.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr std::size_t fewest_requests = 20;
/// Own choice: normal noise exceeds it in one request of a thousand million, and a stall that a user notices in all.
constexpr double far_deviations = 6;
/// Where all requests take nearly the same time, the deviation is a few ticks of the clock and says nothing.
constexpr double far_share = 0.25;
/// A boundary that takes less of what slow requests take more is not where they stall.
constexpr double leading_share = 0.5;
constexpr std::size_t fewest_groups = 4;
constexpr double regular_share = 0.9;

using RequestTimes = std::vector<std::int64_t>;
using RequestIndices = std::vector<std::size_t>;

RequestIndices far_above(const std::vector<double>& latencies, double limit) {
  RequestIndices slow;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    if (latencies[i] > limit) slow.push_back(i);
  }
  return slow;
}

/// The first of each group of neighbours: what stalls one request may delay the next, too.
RequestIndices begins_of_groups(const RequestIndices& slow) {
  RequestIndices begins;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    if (i == 0 || slow[i] > slow[i - 1] + 1) begins.push_back(slow[i]);
  }
  return begins;
}

/// So many requests are between the begins of most groups; 0 where no distance is that of most.
std::int64_t common_distance(const RequestIndices& begins) {
  if (begins.size() < fewest_groups) return 0;
  RequestIndices distances;
  for (std::size_t i = 1; i < begins.size(); ++i) distances.push_back(begins[i] - begins[i - 1]);
  std::sort(distances.begin(), distances.end());
  const std::size_t middle = distances[distances.size() / 2];
  const auto equal = std::count(distances.begin(), distances.end(), middle);
  const bool regular = static_cast<double>(equal) >= regular_share * static_cast<double>(distances.size());
  return regular ? static_cast<std::int64_t>(middle) : 0;
}

/// How much longer the slow requests spend at this boundary than its median, in the mean.
double extra_at(const RequestTimes& times_ns, const RequestIndices& slow) {
  const std::vector<double> times(times_ns.begin(), times_ns.end());
  const double typical = median(times);
  double extra = 0;
  for (const std::size_t i : slow) extra += times[i] - typical;
  return extra / static_cast<double>(slow.size());
}

std::string leading_boundary(const ClosedLoop& loop, const SlowRequests& found, const RequestIndices& slow) {
  for (const auto& [boundary, times_ns] : loop.boundary_ns) {
    if (times_ns.size() != loop.latency_ns.size()) continue;
    if (extra_at(times_ns, slow) >= leading_share * found.extra_ns) return boundary;
  }
  return "";
}

}  // namespace

std::optional<SlowRequests> find_slow_requests(const ClosedLoop& loop) {
  if (loop.latency_ns.size() < fewest_requests) return std::nullopt;
  const std::vector<double> latencies(loop.latency_ns.begin(), loop.latency_ns.end());
  SlowRequests found{.requests = std::ssize(latencies), .typical_ns = median(latencies)};
  const double beyond = std::max(far_deviations * robust_standard_deviation(latencies), far_share * found.typical_ns);
  const RequestIndices slow = far_above(latencies, found.typical_ns + beyond);
  found.slow = std::ssize(slow);
  if (slow.empty()) return found;
  for (const std::size_t i : slow) found.extra_ns += latencies[i] - found.typical_ns;
  found.extra_ns /= static_cast<double>(slow.size());
  found.every = common_distance(begins_of_groups(slow));
  found.boundary = leading_boundary(loop, found, slow);
  return found;
}

}  // namespace stepgate
