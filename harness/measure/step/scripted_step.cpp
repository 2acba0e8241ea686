#include "measure/step/scripted_step.h"

#include <algorithm>
#include <fstream>

#include "core/error.h"

namespace stepgate {

void ScriptedCounter::start() {
  totals_ = {};
  counting_ = true;
  add({});
}

void ScriptedCounter::add(const ScriptedBoundary& work) {
  if (!counting_) return;
  for (const auto& [name, calls] : work.operators) totals_.operators[name] += calls;
  totals_.counters["host_syncs_per_step"] += work.host_syncs;
  if (!counts_kernels_) return;
  totals_.counters["d2h_copies_per_step"] += work.d2h_copies;
  add_calls("kernels_per_step", "cudaLaunchKernel", work.kernels);
  add_calls("graph_launches_per_step", "cudaGraphLaunch", 0);
  add_calls("memcpys_per_step", "cudaMemcpyAsync", work.memcpys);
  add_calls("memsets_per_step", "cudaMemsetAsync", work.memsets);
  add_calls("device_allocations_per_step", "cudaMalloc", work.device_allocations);
  add_calls("device_syncs_per_step", "cudaDeviceSynchronize", work.device_syncs);
}

void ScriptedCounter::add_calls(const std::string& metric, const std::string& call, std::int64_t number) {
  totals_.counters[metric] += number;
  if (number != 0) totals_.device_calls[metric][call] += number;
}

ScriptedStep::ScriptedStep(FakeBackend& backend, std::vector<ScriptedStepPlan> script, ScriptedCounter* counter)
    : backend_(&backend), script_(std::move(script)), counter_(counter) {
  if (script_.empty()) throw Error(ErrorKind::usage, "a scripted step needs a script", "script at least one step");
  for (const ScriptedStepPlan& each : script_) {
    if (each.skipped_updates > 0) skipped_updates_ = 0;
  }
}

std::optional<std::int64_t> ScriptedStep::skipped_updates() const {
  if (skipped_updates_) backend_->work_on_host(scaler_read_ns);
  return skipped_updates_;
}

void ScriptedStep::run(Boundary boundary, std::int64_t step) {
  switch (boundary) {
    case Boundary::data_wait:
      return load();
    case Boundary::h2d:
      return copy_to_device();
    case Boundary::logging:
      return log(step);
    default:
      work(boundary, Stream::compute);
      if (!is_own(boundary)) backend_->note({std::string(name_of(boundary))});
  }
}

void ScriptedStep::load() {
  if (resident_) return;
  work(Boundary::data_wait, Stream::compute);
  backend_->note({"load"});
}

void ScriptedStep::copy_to_device() {
  if (resident_) return;
  work(Boundary::h2d, Stream::copy);
  backend_->wait_for(Stream::compute, Stream::copy);
  backend_->note({"copy"});
}

void ScriptedStep::log(std::int64_t step) {
  if (!logging_) return;
  work(Boundary::logging, Stream::compute);
  logged_step_ = step;
  backend_->note({"log"});
}

bool ScriptedStep::save_checkpoint(const std::filesystem::path& path) {
  if (saves_.empty()) return false;
  const ScriptedSave& save = saves_[std::min(next_save_++, saves_.size() - 1)];
  backend_->work_on_host(save.host_ns);
  if (save.bytes > 0) std::ofstream(path) << std::string(static_cast<std::size_t>(save.bytes), 'x');
  backend_->note({"save"});
  return true;
}

BatchInfo ScriptedStep::batch_info() const {
  backend_->note({"batch_info"});
  return plan().batch;
}

void ScriptedStep::release() {
  backend_->work_on_host(plan().release_ns);
  if (plan().copy_waits_for_compute) backend_->wait_for(Stream::copy, Stream::compute);
  for (const MemoryTrace::Address block : kept_) backend_->deallocate(block);
  kept_.clear();
  if (plan().leaked_bytes > 0) backend_->allocate(plan().leaked_bytes);
  if (plan().wasted_bytes > 0) backend_->waste(plan().wasted_bytes);
  backend_->fault(plan().page_faults);
  if (plan().allocator_retries > 0) backend_->run_out(plan().allocator_retries);
  if (plan().pinned_bytes > 0) backend_->pin(plan().pinned_bytes, plan().pinned_ns);
  if (plan().heap_bytes > 0) heap_.emplace_back(static_cast<std::size_t>(plan().heap_bytes));
  if (!plan().graph_holder.empty()) ++held_graphs_[plan().graph_holder];
  if (skipped_updates_) *skipped_updates_ += plan().skipped_updates;
  step_ += 1;
  backend_->note({"release"});
}

void ScriptedStep::keep_batch(bool resident) {
  resident_ = resident;
  backend_->note({resident ? "keep_batch" : "let_go_of_batch"});
}

void ScriptedStep::set_logging(bool on) {
  logging_ = on;
  backend_->note({on ? "logging_on" : "logging_off"});
}

void ScriptedStep::add_parameter(std::int64_t bytes) { parameters_.push_back(backend_->allocate(bytes)); }

void ScriptedStep::mark_memory(MemoryTrace& trace) const {
  for (const MemoryTrace::Address block : parameters_) trace.mark(block, MemoryRole::parameter);
  for (const MemoryTrace::Address block : gradients_) trace.mark(block, MemoryRole::gradient);
}

void ScriptedStep::allocate(Boundary boundary, const ScriptedBoundary& work) {
  if (work.kept_bytes > 0) kept_.push_back(backend_->allocate(work.kept_bytes));
  if (work.gradient_bytes > 0) gradients_.push_back(backend_->allocate(work.gradient_bytes));
  if (work.lasting_bytes > 0 && lasting_.insert(boundary).second) backend_->allocate(work.lasting_bytes);
  if (work.temporary_bytes > 0) backend_->deallocate(backend_->allocate(work.temporary_bytes));
  if (boundary != Boundary::optimizer) return;
  for (const MemoryTrace::Address block : gradients_) backend_->deallocate(block);
  gradients_.clear();
}

const ScriptedStepPlan& ScriptedStep::plan() const { return script_[std::min(step_, script_.size() - 1)]; }

Boundary ScriptedStep::named_instead(Boundary boundary) {
  if (to_name_.empty() || to_name_.front().next != boundary) return boundary;
  const Boundary own = boundaries_.insert(boundaries_.place_of(boundary), to_name_.front().name);
  to_name_.pop_front();
  return own;
}

void ScriptedStep::work(Boundary boundary, Stream stream) {
  boundary = named_instead(boundary);
  const ScriptedBoundary& work = plan().at(boundary);
  backend_->work_on_host(work.host_ns);
  if (work.device_ns > 0) backend_->enqueue(stream, work.device_ns);
  allocate(boundary, work);
  if (counter_ != nullptr) counter_->add(work);
  if (work.hidden_sync) backend_->drain();
}

}  // namespace stepgate
