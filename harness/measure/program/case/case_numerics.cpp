// The numerics pass of a case: twice where LibTorch refuses to be deterministic.
#include <exception>

#include "measure/device/cpu/thread_scheduling.h"
#include "measure/device/emulated_gpu.h"
#include "measure/passes/exact/heap_watch.h"
#include "measure/passes/exact/numerics_pass.h"
#include "measure/program/case/case_run.h"
#include "system/deadline.h"
#include "system/process_cpu.h"

namespace stepgate {
namespace {

constexpr const char* threads_of_process = "/proc/self/task";
constexpr const char* nothing_computed = "the emulated GPU runs no kernels (mode counts), so losses say nothing";

}  // namespace

/// Strict first, since LibTorch keeps the non-deterministic backward of attention where it only warns.
void CaseRun::run_numerics_pass(Backend& backend) {
  if (ran_on_all_ranks([&] { run_numerics_as(Determinism::strict, backend); })) return;
  begin_exact();
  run_numerics_as(Determinism::where_it_exists, backend);
}

/// The pass itself runs, since levels of memory are followed through it.
void CaseRun::drop_values_of_no_kernels() {
  if (!own_gpu_computes_nothing()) return;
  found_.numerics.reset();
  for (const char* metric : {"loss", "grad_norm"}) not_counted_[metric] = nothing_computed;
}

/// False where an operator has no deterministic implementation, on any rank: they train together.
bool CaseRun::ran_on_all_ranks(const std::function<void()>& pass) const {
  bool ran = true;
  try {
    pass();
  } catch (const std::exception& failure) {
    if (!refuses_determinism(failure)) throw;
    ran = false;
  }
  const auto& agree = settings_.rank_context.agree;
  return agree ? agree(ran) : ran;
}

void CaseRun::run_numerics_as(Determinism determinism, Backend& backend) {
  HeapWatch heap(backend, settings_.steps);
  const ThreadTimes threads = read_thread_times(threads_of_process);
  const ProcessCpu before = read_process_cpu();
  found_.numerics = run_numerics(*exact_->step, {.steps = settings_.steps.numerics,
                                                 .determinism = determinism,
                                                 .at_step_end = [&](std::int64_t step) { heap.end_step(step); }});
  const ProcessCpu after = read_process_cpu();
  found_.background =
      BackgroundCpu{.cpu_ns = background_ns(before, after),
                    .step_cpu_ns = after.thread_ns - before.thread_ns,
                    .steps = settings_.steps.numerics,
                    .threads = background_threads(threads, read_thread_times(threads_of_process), threads_of_process)};
  drop_values_of_no_kernels();
  if (!found_.memory) return;  // the levels are kept there
  const DeterministicScope deterministic(determinism);
  follow_chunks(*exact_->step, heap, {settings_.steps.numerics, seconds_to_deadline(), settings_.rank_context.agree});
  heap.keep(*found_.memory);
}

}  // namespace stepgate
