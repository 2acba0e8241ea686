#include "lab/pipeline_clock.h"

#include <algorithm>

namespace stepgate::lab {
namespace {

constexpr int chunks = 8;

}  // namespace

/// When the next batch is ready. The worker begins a batch once a slot of the queue is free.
double PipelineClock::load(double factor) {
  if (pipeline_.loader_ns <= 0) return host_ns_;
  const bool full = std::ssize(taken_) >= pipeline_.queue;
  const double begin = full ? std::max(loader_ns_, taken_.front()) : loader_ns_;
  if (full) taken_.pop_front();
  loader_ns_ = begin + pipeline_.loader_ns * factor;
  return loader_ns_;
}

void PipelineClock::queue_work(double host_ns, double device_ns, bool sync, RunSteps& ran) {
  host_ns_ += host_ns;
  if (!pipeline_.gpu) {
    host_ns_ += device_ns;
    return;
  }
  device_ns_ = std::max(device_ns_, host_ns_) + device_ns;
  ran.device_ns += device_ns;
  if (sync) host_ns_ = std::max(host_ns_, device_ns_);
}

void PipelineClock::end(Boundary boundary, RunSteps& ran) {
  ran.host_ns.at(static_cast<std::size_t>(boundary)) += host_ns_ - boundary_begin_ns_;
  boundary_begin_ns_ = host_ns_;
}

void PipelineClock::compute(double factor, RunSteps& ran) {
  spend(Boundary::h2d, factor);
  queue_work(0, pipeline_.copy_ns * factor, pipeline_.syncs_at_boundaries, ran);
  end(Boundary::h2d, ran);
  const double host = pipeline_.dispatch_ns / chunks * factor;
  const double device = (pipeline_.compute_ns + pipeline_.bandwidth_ns) / chunks * factor;
  for (const Boundary boundary : {Boundary::forward, Boundary::backward}) {
    spend(boundary, factor);
    for (int i = 1; i <= chunks / 2; ++i) {
      queue_work(host, device, pipeline_.syncs || (pipeline_.syncs_at_boundaries && i == chunks / 2), ran);
    }
    end(boundary, ran);
  }
  spend(Boundary::optimizer, factor);
  const double half = pipeline_.optimizer_ns / 2 * factor;
  queue_work(half, half, pipeline_.syncs || pipeline_.syncs_at_boundaries, ran);
  end(Boundary::optimizer, ran);
  host_ns_ += pipeline_.logging_ns * factor;
  spend(Boundary::logging, factor);
  end(Boundary::logging, ran);
}

RunSteps PipelineClock::run(int steps) {
  RunSteps ran;
  const double begin = host_ns_;
  boundary_begin_ns_ = host_ns_;
  for (int i = 0; i < steps; ++i) {
    const double factor = noise_();
    host_ns_ = std::max(host_ns_, load(noise_()));
    if (pipeline_.loader_ns > 0) taken_.push_back(host_ns_);
    spend(Boundary::data_wait, factor);
    end(Boundary::data_wait, ran);
    compute(factor, ran);
  }
  host_ns_ = std::max(host_ns_, device_ns_);
  ran.wall_ns = host_ns_ - begin;
  return ran;
}

}  // namespace stepgate::lab
