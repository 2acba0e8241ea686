#include "measure/passes/step_window.h"

#include <algorithm>

#include "measure/step/boundary_action.h"

namespace stepgate {
namespace {

constexpr std::size_t at(Boundary boundary) { return static_cast<std::size_t>(boundary); }

constexpr std::size_t slot(std::size_t step, EventMark mark) {
  return step * events_per_step + static_cast<std::size_t>(mark);
}

constexpr Stream stream_of(EventMark mark) {
  return mark == EventMark::copy_begin || mark == EventMark::copy_end ? Stream::copy : Stream::compute;
}

}  // namespace

StepSample host_sample(const StepTrace& trace, const StepBoundaries& boundaries) {
  StepSample result;
  result.wall_ns = trace.end_ns - trace.marks_ns.front();
  for (std::size_t i = 0; i < boundaries.order().size(); ++i) {
    result.host_ns[at(boundaries.order()[i])] = trace.marks_ns[i + 1] - trace.marks_ns[i];
  }
  result.samples = trace.batch.samples;
  result.padded_tokens = trace.batch.padded_tokens;
  result.effective_tokens = trace.batch.effective_tokens;
  if (trace.batch.flops > 0) result.flops = trace.batch.flops;
  result.shape = trace.batch.shape;
  result.allreduce_ns = trace.batch.allreduce_ns;
  result.allreduce_wait_ns = trace.batch.allreduce_wait_ns;
  result.skipped_update = trace.skipped_update;
  return result;
}

bool note_shape(TimedRun& run, StepSample& sample) {
  sample.cold_shape = run.seen_shapes.insert(sample.shape).second;
  return sample.cold_shape;
}

TimedPass run_windows(TimedRun& run, std::int64_t steps, const AroundWindow& around) {
  TimedPass pass;
  pass.clock = run.backend.clock_name();
  pass.steps.reserve(static_cast<std::size_t>(steps));
  pass.windows.reserve(static_cast<std::size_t>(steps / run.steps.window));
  StepWindow window(run, run.steps.window);
  const std::int64_t window_steps = run.steps.window;
  for (std::int64_t done = 0; done < steps; done += window_steps) {
    if (around.before) around.before();
    window.run(window_steps, done / window_steps % run.marked_window_every == 0);
    if (around.after) around.after();
    window.append_to(pass);
    if (around.next) around.next();
  }
  return pass;
}

StepWindow::StepWindow(TimedRun& run, std::int64_t capacity)
    : run_(&run),
      events_(run.backend.has_device_events()),
      marked_(events_),
      traces_(static_cast<std::size_t>(capacity)),
      skipped_updates_(run.actions.abilities().skipped_updates()) {
  if (events_) run.backend.reserve_events(traces_.size() * events_per_step);
}

void StepWindow::run(std::int64_t steps, bool marked) {
  marked_ = events_ && marked;
  steps_ = std::min(static_cast<std::size_t>(steps), traces_.size());
  const StepBoundaries& boundaries = run_->actions.boundaries();
  copy_ends_wait_ = boundaries.place_of(Boundary::data_wait) + 1 == boundaries.place_of(Boundary::h2d);
  if (!boundaries.find(name_of(Boundary::optimizer))) {
    last_compute_ = boundaries.order()[boundaries.place_of(Boundary::logging) - 1];
  }
  run_->actions.before_window(std::ssize(traces_));
  Backend& backend = run_->backend;
  backend.synchronize();
  begin_ns_ = backend.now_ns();
  std::int64_t now_ns = begin_ns_;
  for (std::size_t i = 0; i < steps_; ++i) now_ns = run_step(i, now_ns);
  queued_ns_ = now_ns;
  backend.synchronize();
  end_ns_ = backend.now_ns();
}

// docs/design/measurement.md, "Marks and device events". The host mark that ends a boundary is read before the event
// that ends it, so that the cost of recording falls into the next boundary, and the last mark comes before all work of
// stepgate.
std::int64_t StepWindow::run_step(std::size_t index, std::int64_t begin_ns) {
  Backend& backend = run_->backend;
  StepActions& actions = run_->actions;
  StepTrace& trace = traces_[index];
  std::size_t mark = 0;
  trace.marks_ns[mark++] = begin_ns;
  record(index, EventMark::step_begin);
  const auto before = [&](Boundary boundary) {
    if (boundary == Boundary::h2d) record(index, EventMark::copy_begin);
  };
  const auto after = [&](Boundary boundary) {
    if (boundary == Boundary::h2d) record(index, EventMark::copy_end);
    trace.marks_ns[mark++] = backend.now_ns();
    if (boundary != Boundary::data_wait || !copy_ends_wait_) record(index, end_of(boundary));
  };
  run_boundaries(actions, run_->next_step++, before, after);
  trace.batch = actions.batch_info();  // before release(), which drops the batch
  actions.release();
  trace.end_ns = backend.now_ns();
  return trace.end_ns;
}

void StepWindow::record(std::size_t index, EventMark mark) {
  if (marked_) run_->backend.record_event(slot(index, mark), stream_of(mark));
}

bool StepWindow::note_skipped_update() {
  const auto now = run_->actions.abilities().skipped_updates();
  const bool skipped = now != skipped_updates_;
  skipped_updates_ = now;
  return skipped;
}

void StepWindow::append_to(TimedPass& pass) {
  Window window{wall_ns(), static_cast<std::int64_t>(pass.steps.size()), static_cast<std::int64_t>(steps_), false};
  if (events_) {
    window.queued_ns = queued_ns_ - begin_ns_;
    window.begin_us = begin_ns_ / 1000;
  }
  window.skipped_update = note_skipped_update();
  for (std::size_t i = 0; i < steps_; ++i) {
    traces_[i].skipped_update = window.skipped_update;
    StepSample result = sample(i);
    if (note_shape(*run_, result)) window.cold_shape = true;
    pass.steps.push_back(std::move(result));
  }
  pass.windows.push_back(window);
}

void StepWindow::append_paces(std::vector<Pace>& paces) const {
  for (std::size_t i = 0; i < steps_; ++i) {
    const StepTrace& trace = traces_[i];
    std::int64_t ns = trace.end_ns - trace.marks_ns.front();
    if (marked_) {
      const std::size_t from = i == 0 ? slot(0, EventMark::step_begin) : slot(i - 1, end_of(Boundary::logging));
      ns = run_->backend.elapsed_ns(from, slot(i, end_of(Boundary::logging)));
    }
    paces.push_back({ns, trace.batch.samples, trace.batch.padded_tokens});
  }
}

StepSample StepWindow::sample(std::size_t index) const {
  StepSample result = host_sample(traces_[index], run_->actions.boundaries());
  if (marked_) add_device_times(index, result);
  return result;
}

void StepWindow::add_device_times(std::size_t index, StepSample& sample) const {
  const auto between = [&](EventMark from, EventMark to) {
    return run_->backend.elapsed_ns(slot(index, from), slot(index, to));
  };
  BoundaryTimes device{};
  EventMark last = EventMark::step_begin;
  for (const Boundary boundary : run_->actions.boundaries().order()) {
    EventMark from = last;
    EventMark to = end_of(boundary);
    last = to;
    if (boundary == Boundary::h2d) {
      from = EventMark::copy_begin;
      to = EventMark::copy_end;
    } else if (boundary == Boundary::data_wait && copy_ends_wait_) {
      to = EventMark::copy_begin;
      last = EventMark::step_begin;
    }
    device[at(boundary)] = between(from, to);
  }
  // Time from this step's begin on the compute stream until the copy began. It is negative where the device was still
  // busy with the previous step when the copy ran: then the device did not wait for data.
  device[at(Boundary::data_wait)] = std::max<std::int64_t>(0, device[at(Boundary::data_wait)]);
  sample.device_ns = device;
  // stepgate synchronised the device before the first step of a window, so the time before it says nothing about the
  // user's loop.
  if (index == 0) return;
  sample.gap_ns = std::max<std::int64_t>(
      0, run_->backend.elapsed_ns(slot(index - 1, end_of(Boundary::logging)), slot(index, EventMark::step_begin)));
  sample.overlap_ns = overlap_ns(index);
}

// A host that runs far ahead queues its copy while the device still computes an earlier step than the previous one. So
// this goes back through the earlier steps of the window, to the first that had ended when the copy began.
std::int64_t StepWindow::overlap_ns(std::size_t index) const {
  std::int64_t result = 0;
  for (std::size_t earlier = index; earlier-- > 0;) {
    const std::size_t origin = slot(earlier, end_of(Boundary::h2d));
    const auto since = [&](std::size_t event) { return run_->backend.elapsed_ns(origin, event); };
    const std::int64_t compute_end = since(slot(earlier, end_of(last_compute_)));
    const std::int64_t copy_begin = since(slot(index, EventMark::copy_begin));
    if (copy_begin >= compute_end) break;
    const std::int64_t copy_end = std::min(compute_end, since(slot(index, EventMark::copy_end)));
    result += std::max<std::int64_t>(0, copy_end - std::max<std::int64_t>(0, copy_begin));
  }
  return result;
}

}  // namespace stepgate
