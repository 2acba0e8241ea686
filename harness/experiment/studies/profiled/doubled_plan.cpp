#include "experiment/studies/profiled/doubled_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "experiment/host/quiet_host.h"
#include "experiment/swept/listed_params.h"

namespace stepgate {
namespace {

/// "8" -> "16"; absent for a text that is not a positive number.
std::optional<std::string> doubled(const std::string& number) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < 1) return std::nullopt;
  return std::to_string(2 * value);
}

}  // namespace

DoubledPlan plan_doubled_batch(LaunchRequest request, const ManifestCase& entry, const std::filesystem::path& folder) {
  const auto declared = listed_params(entry, folder);
  if (!declared || !declared->contains("batch_size")) {
    return {.absent = "the case declares no parameter batch_size"};
  }
  const auto given = request.plan.params.find("batch_size");
  const std::string size = given == request.plan.params.end() ? declared->at("batch_size") : given->second;
  const auto twice = doubled(size);
  if (!twice) return {.absent = fmt::format("batch_size is '{}'", size)};
  request.plan.params["batch_size"] = *twice;
  return {.request = std::move(request)};
}

DoubledPlan plan_doubled_threads(LaunchRequest request, const ManifestCase& entry, const MeasuredHost& host) {
  if (entry.device != Device::cpu) return {.absent = "the device computes, not the threads"};
  // Loader workers keep the CPUs that they had.
  if (request.plan.cpus > 0) request.plan.cpus += request.plan.threads;
  request.plan.threads *= 2;
  const std::int64_t needed = std::max(request.plan.threads, request.plan.cpus);
  const auto had = std::ssize(cpus_for(host, {"profile", {entry}, needed}).measured);
  if (had < needed) {
    return {.absent = fmt::format("with {} threads the case needs {} CPUs, and measured processes get {}",
                                  request.plan.threads, needed, had)};
  }
  return {.request = std::move(request)};
}

}  // namespace stepgate
