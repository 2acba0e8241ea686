#include "diagnose/trace/device_line.h"

#include <algorithm>
#include <utility>

#include "diagnose/trace/trace_lists.h"
#include "diagnose/trace/trace_names.h"
#include "stats/ranked_time.h"

namespace stepgate {
namespace {

/// Who has the time where several run side by side. Between two cycles nothing counts.
enum WorkRank : std::size_t { unrecorded, computing, exchanging, copying, work_ranks };

std::vector<std::uint32_t> work_in_order(const TraceEvents& trace, std::uint16_t device) {
  std::vector<std::uint32_t> work;
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    if (is_on_device(trace.events[index].category) && trace.events[index].place == device) work.push_back(index);
  }
  sort_by_begin(trace, work);
  return work;
}

class DeviceWork {
 public:
  DeviceWork(const TraceView& view, const std::function<void(const DeviceGap&)>& on_gap)
      : view_(view),
        on_gap_(on_gap),
        exchanges_(names_that(view.trace, is_exchange)),
        pauses_(view.steps.pauses()),
        time_(view.steps.whole(), work_ranks) {}

  void add(const TraceEvent& event) {
    for (; next_pause_ < pauses_.size() && pauses_[next_pause_].begin <= event.start_ns; ++next_pause_) add_pause();
    const TraceEvent* launch = view_.calls.of(event);
    const bool kernel = event.category == TraceCategory::kernel;
    const WorkRank rank = !kernel ? copying : exchanges_[event.name] ? exchanging : computing;
    if (const auto gap = time_.add({event.start_ns, event.end_ns()}, rank)) on_gap_({*gap, false, launch});
    const auto cycle = first_after(view_.steps.cycles, event.start_ns);
    const bool counts = cycle != view_.steps.cycles.end() && cycle->begin < event.end_ns();
    if (counts && kernel) count_kernel(event, launch);
    if (counts && is_pageable_copy(view_.trace.name_of(event))) ++line_.pageable_copies;
  }

  DeviceTimeLine finish() {
    for (; next_pause_ < pauses_.size(); ++next_pause_) add_pause();
    if (const auto gap = time_.finish()) on_gap_({*gap, true, nullptr});
    line_.kernels_ns = time_.of(computing);
    line_.exchanges_ns = time_.of(exchanging);
    line_.copies_ns = time_.of(copying);
    line_.idle_ns = time_.idle();
    return std::move(line_);
  }

 private:
  void add_pause() {
    if (const auto gap = time_.add(pauses_[next_pause_], unrecorded)) on_gap_({*gap, true, nullptr});
  }

  void count_kernel(const TraceEvent& event, const TraceEvent* launch) {
    ++line_.kernel_count;
    if (event.duration_ns < short_kernel_ns) ++line_.short_kernels;
    if (launch != nullptr) line_.launch_delays_ns.push_back(static_cast<double>(event.start_ns - launch->end_ns()));
  }

  const TraceView& view_;
  const std::function<void(const DeviceGap&)>& on_gap_;
  std::vector<bool> exchanges_;  ///< by name
  Spans pauses_;                 ///< between the cycles
  std::size_t next_pause_ = 0;
  RankedTime time_;
  DeviceTimeLine line_;
};

}  // namespace

std::optional<std::uint16_t> busiest_device(const TraceEvents& trace, const TraceSteps& steps) {
  std::vector<double> work_ns(trace.device_ids.size());  // work that runs side by side may add up to any length
  for (const TraceEvent& event : trace.events) {
    if (is_on_device(event.category))
      work_ns[event.place] += static_cast<double>(length_within(steps.cycles, {event.start_ns, event.end_ns()}));
  }
  const auto most = std::max_element(work_ns.begin(), work_ns.end());
  if (most == work_ns.end() || *most == 0) return std::nullopt;
  return static_cast<std::uint16_t>(most - work_ns.begin());
}

DeviceTimeLine device_line(const TraceView& view, std::uint16_t device,
                           const std::function<void(const DeviceGap&)>& on_gap) {
  DeviceWork work(view, on_gap);
  for (const std::uint32_t index : work_in_order(view.trace, device)) work.add(view.trace.events[index]);
  return work.finish();
}

}  // namespace stepgate
