#include "judge/matched_steps.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "judge/timed_values.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

bool same_work(const StepSample& base, const StepSample& head) {
  return base.samples == head.samples && base.padded_tokens == head.padded_tokens &&
         base.effective_tokens == head.effective_tokens;
}

bool same_work(const Window& base, const Window& head) {
  return base.first_step == head.first_step && base.steps == head.steps && base.samples == head.samples;
}

/// ln(head / base) of each two samples; empty where they are not of the same work. Cold ones are left out.
template <class Sample>
std::vector<double> logs_of(const std::vector<Sample>& base, const std::vector<Sample>& head) {
  std::vector<double> logs;
  if (base.size() != head.size()) return logs;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!same_work(base[i], head[i])) return {};
    if (base[i].cold_shape || head[i].cold_shape || base[i].wall_ns <= 0 || head[i].wall_ns <= 0) continue;
    logs.push_back(std::log(static_cast<double>(head[i].wall_ns)) - std::log(static_cast<double>(base[i].wall_ns)));
  }
  return logs;
}

}  // namespace

std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head) {
  const TimedPass* before = find_pass(base, Pass::e2e);
  const TimedPass* now = find_pass(head, Pass::e2e);
  if (before == nullptr || now == nullptr || before->clock != now->clock) return std::nullopt;
  const bool same_steps = std::equal(before->steps.begin(), before->steps.end(), now->steps.begin(), now->steps.end(),
                                     [](const StepSample& a, const StepSample& b) { return same_work(a, b); });
  if (!same_steps || timed_by_step(*before) != timed_by_step(*now)) return std::nullopt;
  const std::vector<double> logs =
      timed_by_step(*before) ? logs_of(before->steps, now->steps) : logs_of(before->windows, now->windows);
  if (logs.empty()) return std::nullopt;
  return median(logs);
}

}  // namespace stepgate
