#include "measure/profile/call_time.h"

#include <algorithm>
#include <vector>

namespace stepgate {
namespace {

constexpr std::int64_t trial_ns = 200'000;
constexpr std::size_t fewest_trials = 3;
constexpr std::size_t most_trials = 200;

std::int64_t time_of(Backend& backend, const std::function<void()>& call, std::int64_t calls) {
  backend.synchronize();
  const std::int64_t begin_ns = backend.now_ns();
  for (std::int64_t i = 0; i < calls; ++i) call();
  backend.synchronize();
  return backend.now_ns() - begin_ns;
}

std::vector<std::int64_t> trials_of(Backend& backend, const std::function<void()>& call, std::int64_t budget_ns) {
  const std::int64_t begin_ns = backend.now_ns();
  call();  // its first call may load a kernel
  const std::int64_t one_ns = std::max<std::int64_t>(1, time_of(backend, call, 1));
  const std::int64_t calls = std::max<std::int64_t>(1, trial_ns / one_ns);
  std::vector<std::int64_t> trials;
  while (trials.size() < fewest_trials || (trials.size() < most_trials && backend.now_ns() - begin_ns < budget_ns)) {
    trials.push_back(time_of(backend, call, calls) / calls);
  }
  return trials;
}

}  // namespace

std::int64_t call_time_ns(Backend& backend, const std::function<void()>& call, std::int64_t budget_ns) {
  std::vector<std::int64_t> trials = trials_of(backend, call, budget_ns);
  std::nth_element(trials.begin(), trials.begin() + std::ssize(trials) / 2, trials.end());
  return trials[trials.size() / 2];
}

std::int64_t fastest_call_ns(Backend& backend, const std::function<void()>& call, std::int64_t budget_ns) {
  const std::vector<std::int64_t> trials = trials_of(backend, call, budget_ns);
  return *std::min_element(trials.begin(), trials.end());
}

}  // namespace stepgate
