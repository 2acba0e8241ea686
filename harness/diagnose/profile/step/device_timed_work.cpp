#include "diagnose/profile/step/device_timed_work.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace stepgate {
namespace {

using Sizes = std::vector<std::vector<std::int64_t>>;
using Key = std::tuple<std::string, std::string, Sizes>;

/// A hundred days: what no site of a record that was measured takes.
constexpr double most_ns = 1e16;

struct MeanTime {
  double calls = 0;
  double self_ns = 0;
  double total_ns = 0;

  void add(const DeviceTime& time) {
    calls += static_cast<double>(time.calls);
    self_ns += static_cast<double>(time.self_ns);
    total_ns += static_cast<double>(time.total_ns);
  }
};

Sizes sizes_of(const std::vector<ObservedTensor>& tensors) {
  Sizes sizes;
  for (const ObservedTensor& tensor : tensors) {
    if (!tensor.sizes.empty()) sizes.push_back(tensor.sizes);
  }
  return sizes;
}

std::int64_t of_calls(double ns, const MeanTime& mean, std::int64_t calls) {
  if (!(mean.calls > 0)) return 0;
  return std::llround(std::min(most_ns, ns / mean.calls * static_cast<double>(calls)));
}

}  // namespace

ProfileRun with_device_times(const ProfileRun& run, const std::vector<DeviceTime>& times) {
  std::map<Key, MeanTime> by_sizes;
  std::map<Key, MeanTime> by_name;
  for (const DeviceTime& time : times) {
    by_sizes[{time.boundary, time.name, time.sizes}].add(time);
    by_name[{time.boundary, time.name, {}}].add(time);
  }
  ProfileRun timed = run;
  timed.observed_wall_ns = timed.unobserved_wall_ns = 0;
  if (!timed.observed) return timed;
  for (OperatorSite& site : timed.observed->sites) {
    const auto equal = by_sizes.find({site.boundary, site.name, sizes_of(site.inputs)});
    const MeanTime& mean = equal == by_sizes.end() ? by_name[{site.boundary, site.name, {}}] : equal->second;
    site.self_ns = of_calls(mean.self_ns, mean, site.calls);
    site.total_ns = of_calls(mean.total_ns, mean, site.calls);
  }
  return timed;
}

MachinePeaks device_peaks(MachinePeaks peaks) {
  peaks.floor_ns = 0;
  double best = 0;
  for (auto level = peaks.bandwidth.rbegin(); level != peaks.bandwidth.rend(); ++level) {
    best = std::max(best, level->bytes_per_s);
    level->bytes_per_s = best;
  }
  return peaks;
}

MachinePeaks roofs_of(const Profile& profile) {
  switch (profile.operator_times) {
    case OperatorTimes::call:
      return profile.peaks;
    case OperatorTimes::device:
      return device_peaks(profile.peaks);
    case OperatorTimes::host:
    case OperatorTimes::none:
      break;
  }
  return {};
}

}  // namespace stepgate
