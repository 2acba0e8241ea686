#include "judge/reduce/host_lead.h"

#include <algorithm>
#include <vector>

#include "judge/reduce/find_pass.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* metrics[] = {"enqueue_time_ns", "enqueue_ratio", "device_backlog_ratio"};

/// One value per window that has no cold shape.
struct HostLead {
  std::vector<double> enqueue_ns;     ///< host time per step, without waiting for data
  std::vector<double> enqueue_ratio;  ///< the same / step time
  std::vector<double> backlog;        ///< steps of device work that are left once the last step is queued
};

/// Host time of the window's steps outside data_wait.
double queueing_ns(const TimedPass& pass, const Window& window) {
  double sum = 0;
  const auto end = std::min<std::int64_t>(window.first_step + window.steps, std::ssize(pass.steps));
  for (std::int64_t i = std::max<std::int64_t>(0, window.first_step); i < end; ++i) {
    const StepSample& step = pass.steps[static_cast<std::size_t>(i)];
    sum += static_cast<double>(step.wall_ns - step.host_ns[static_cast<std::size_t>(Boundary::data_wait)]);
  }
  return sum;
}

HostLead lead_of(const TimedPass& pass) {
  HostLead lead;
  for (const Window& window : pass.windows) {
    if (!window.queued_ns || window.left_out() || window.steps <= 0 || window.wall_ns <= 0) continue;
    const auto steps = static_cast<double>(window.steps);
    const double step_ns = static_cast<double>(window.wall_ns) / steps;
    const double enqueue_ns = queueing_ns(pass, window) / steps;
    lead.enqueue_ns.push_back(enqueue_ns);
    lead.enqueue_ratio.push_back(enqueue_ns / step_ns);
    lead.backlog.push_back(static_cast<double>(window.wall_ns - *window.queued_ns) / step_ns);
  }
  return lead;
}

std::string why_no_lead(const TimedPass* pass) {
  if (pass == nullptr) return "the e2e pass did not run";
  if (timed_by_step(*pass)) return "the host computes while it is called and queues nothing";
  return "no window without a new shape says when its last step was queued";
}

}  // namespace

void add_host_lead(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const HostLead lead = pass == nullptr ? HostLead{} : lead_of(*pass);
  if (lead.enqueue_ns.empty()) {
    for (const char* metric : metrics) collector.miss(metric, why_no_lead(pass));
    return;
  }
  collector.add("enqueue_time_ns", median(lead.enqueue_ns));
  collector.add("enqueue_ratio", median(lead.enqueue_ratio));
  collector.add("device_backlog_ratio", median(lead.backlog));
}

}  // namespace stepgate
