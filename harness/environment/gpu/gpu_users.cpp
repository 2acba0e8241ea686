#include "environment/gpu/gpu_users.h"

#include <algorithm>

namespace stepgate {
namespace {

/// Over the samples that list users.
struct Listed {
  std::int64_t most = 0;
  std::int64_t most_clients = 0;
  bool lists_clients = false;
  bool is_read = false;
};

Listed listed_in(const GpuWindow& window) {
  Listed listed;
  for (const GpuSample& sample : window.samples) {
    if (!sample.users.value) continue;
    listed.is_read = true;
    listed.most = std::max(listed.most, sample.users.value->processes);
    if (!sample.users.value->mps_clients) continue;
    listed.lists_clients = true;
    listed.most_clients = std::max(listed.most_clients, *sample.users.value->mps_clients);
  }
  return listed;
}

std::int64_t before_ours(const GpuWindow& window) {
  const auto& users = window.before.sample.users;
  return users.value ? users.value->processes : 0;
}

}  // namespace

OtherUsers other_users(const GpuWindow& window) {
  if (!window.before.hidden_users.empty()) return {{}, window.before.hidden_users};
  if (window.samples.empty()) return {{}, "no reading fell into the timed passes"};
  const Listed listed = listed_in(window);
  if (!listed.is_read) return {{}, window.samples.front().users.reason};
  const bool under_mps = listed.lists_clients ? listed.most_clients > 0 : window.is_told_of_mps;
  const std::int64_t server = under_mps ? 1 : 0;
  const std::int64_t before = std::max<std::int64_t>(0, before_ours(window) - server);
  if (listed.most == 0) {
    if (before > 0) return {before, ""};
    return {{}, "not observable: the list does not show our own process"};
  }
  const std::int64_t inside = std::max<std::int64_t>(0, listed.most - server - 1);
  // A list that did not grow when ours came hides ours, or somebody left in that moment.
  const bool grew = listed.most >= before_ours(window) + 1;
  return {grew ? inside : std::max(inside, before), ""};
}

}  // namespace stepgate
