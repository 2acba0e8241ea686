#include "judge/reduce/pairs/matched_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "judge/reduce/find_pass.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The step computes the padded batch, so lengths that differ only within the padding are the same work.
bool same_work(const StepSample& base, const StepSample& head) {
  return base.shape == head.shape && base.samples == head.samples && base.padded_tokens == head.padded_tokens;
}

using Steps = std::span<const StepSample>;

bool same_work(Steps base, Steps head) {
  return std::equal(base.begin(), base.end(), head.begin(), head.end(),
                    [](const StepSample& a, const StepSample& b) { return same_work(a, b); });
}

void add_log(std::int64_t base_ns, std::int64_t head_ns, std::vector<double>& logs) {
  if (base_ns <= 0 || head_ns <= 0) return;
  logs.push_back(std::log(static_cast<double>(head_ns)) - std::log(static_cast<double>(base_ns)));
}

std::vector<double> logs_of_steps(Steps base, Steps head) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!base[i].left_out() && !head[i].left_out()) add_log(base[i].wall_ns, head[i].wall_ns, logs);
  }
  return logs;
}

/// Windows that begin at the same step; empty if the two sides' windows begin at different steps.
std::vector<double> logs_of_windows(const TimedPass& base, const TimedPass& head) {
  std::vector<double> logs;
  if (base.windows.size() != head.windows.size()) return logs;
  for (std::size_t i = 0; i < base.windows.size(); ++i) {
    const Window& before = base.windows[i];
    const Window& now = head.windows[i];
    if (before.first_step != now.first_step || before.steps != now.steps || before.samples != now.samples) return {};
    if (!before.left_out() && !now.left_out()) add_log(before.wall_ns, now.wall_ns, logs);
  }
  return logs;
}

std::int64_t warm_steps(const RunRecord& record) { return record.warmup ? record.warmup->steps : 0; }

/// Steps on the same batch, if one side warmed up for longer; empty if less than half of the steps remain.
std::vector<double> logs_by_batch(Steps base, Steps head, std::int64_t lead) {
  const auto apart = static_cast<std::size_t>(std::abs(lead));
  if (2 * apart > base.size()) return {};
  Steps& behind = lead > 0 ? head : base;  // positive: the base begins with a later batch
  Steps& ahead = lead > 0 ? base : head;
  behind = behind.subspan(apart);
  ahead = ahead.first(ahead.size() - apart);
  return same_work(base, head) ? logs_of_steps(base, head) : std::vector<double>{};
}

}  // namespace

std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head) {
  const TimedPass* before = find_pass(base, Pass::e2e);
  const TimedPass* now = find_pass(head, Pass::e2e);
  if (before == nullptr || now == nullptr || before->clock != now->clock) return std::nullopt;
  if (timed_by_step(*before) != timed_by_step(*now) || before->steps.size() != now->steps.size()) return std::nullopt;
  std::vector<double> logs;
  if (same_work(before->steps, now->steps)) {
    logs = timed_by_step(*before) ? logs_of_steps(before->steps, now->steps) : logs_of_windows(*before, *now);
  } else if (timed_by_step(*before)) {
    logs = logs_by_batch(before->steps, now->steps, warm_steps(base) - warm_steps(head));
  }
  if (logs.empty()) return std::nullopt;
  return median(logs);
}

}  // namespace stepgate
