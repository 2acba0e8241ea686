#include "judge/matched_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "judge/timed_values.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Lengths that differ within one shape's padding are the same work: what is computed is the padded batch.
bool same_work(const StepSample& base, const StepSample& head) {
  return base.shape == head.shape && base.samples == head.samples && base.padded_tokens == head.padded_tokens;
}

/// The part of a pass whose steps stand beside the other side's.
struct Stretch {
  std::size_t first = 0;
  std::size_t steps = 0;
};

bool same_work(const TimedPass& base, const TimedPass& head, const Stretch& of_base, const Stretch& of_head) {
  const auto from = base.steps.begin() + static_cast<std::ptrdiff_t>(of_base.first);
  const auto to = head.steps.begin() + static_cast<std::ptrdiff_t>(of_head.first);
  return std::equal(from, from + static_cast<std::ptrdiff_t>(of_base.steps), to,
                    [](const StepSample& a, const StepSample& b) { return same_work(a, b); });
}

void add_log(std::int64_t base_ns, std::int64_t head_ns, std::vector<double>& logs) {
  if (base_ns <= 0 || head_ns <= 0) return;
  logs.push_back(std::log(static_cast<double>(head_ns)) - std::log(static_cast<double>(base_ns)));
}

std::vector<double> logs_of_steps(const TimedPass& base, const TimedPass& head, const Stretch& of_base,
                                  const Stretch& of_head) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < of_base.steps; ++i) {
    const StepSample& before = base.steps[of_base.first + i];
    const StepSample& now = head.steps[of_head.first + i];
    if (!before.cold_shape && !now.cold_shape) add_log(before.wall_ns, now.wall_ns, logs);
  }
  return logs;
}

/// Windows that begin at the same step; empty where they are cut otherwise.
std::vector<double> logs_of_windows(const TimedPass& base, const TimedPass& head) {
  std::vector<double> logs;
  if (base.windows.size() != head.windows.size()) return logs;
  for (std::size_t i = 0; i < base.windows.size(); ++i) {
    const Window& before = base.windows[i];
    const Window& now = head.windows[i];
    if (before.first_step != now.first_step || before.steps != now.steps || before.samples != now.samples) return {};
    if (!before.cold_shape && !now.cold_shape) add_log(before.wall_ns, now.wall_ns, logs);
  }
  return logs;
}

std::int64_t warm_steps(const RunRecord& record) { return record.warmup ? record.warmup->steps : 0; }

/// Steps at the same place of the data's order, where one side warmed up for longer; absent where too few are left.
std::vector<double> logs_by_batch(const RunRecord& base, const RunRecord& head) {
  const TimedPass& before = *find_pass(base, Pass::e2e);
  const TimedPass& now = *find_pass(head, Pass::e2e);
  const std::int64_t lead = warm_steps(base) - warm_steps(head);  // positive: the base begins with a later batch
  const auto apart = static_cast<std::size_t>(std::abs(lead));
  if (apart == 0 || 2 * apart > before.steps.size()) return {};
  const std::size_t steps = before.steps.size() - apart;
  const Stretch of_base{lead > 0 ? 0 : apart, steps};
  const Stretch of_head{lead > 0 ? apart : 0, steps};
  if (!same_work(before, now, of_base, of_head)) return {};
  return logs_of_steps(before, now, of_base, of_head);
}

}  // namespace

std::optional<double> matched_step_log(const RunRecord& base, const RunRecord& head) {
  const TimedPass* before = find_pass(base, Pass::e2e);
  const TimedPass* now = find_pass(head, Pass::e2e);
  if (before == nullptr || now == nullptr || before->clock != now->clock) return std::nullopt;
  if (timed_by_step(*before) != timed_by_step(*now) || before->steps.size() != now->steps.size()) return std::nullopt;
  const Stretch whole{0, before->steps.size()};
  std::vector<double> logs;
  if (same_work(*before, *now, whole, whole)) {
    logs = timed_by_step(*before) ? logs_of_steps(*before, *now, whole, whole) : logs_of_windows(*before, *now);
  } else if (timed_by_step(*before)) {
    logs = logs_by_batch(base, head);
  }
  if (logs.empty()) return std::nullopt;
  return median(logs);
}

}  // namespace stepgate
