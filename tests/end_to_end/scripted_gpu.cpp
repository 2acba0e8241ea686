// A perftest program over the fake backend, a GPU in virtual time. It takes effects of a GPU (overlapping copies,
// pinned memory) through the real launcher, baselines, verdicts and findings on any machine. It does not link LibTorch.
// STEPGATE_TEST_FAULT selects one fault. Virtual times are equal in every process, so verdicts are equal too. Its
// records hold the facts that a real CUDA process records (scripted_gpu_facts.h), so that baselines are keyed alike.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "json/records/run_record_json.h"
#include "measure/device/fake/fake_work_trace.h"
#include "measure/passes/copy_trials.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/passes/timed_passes.h"
#include "measure/program/perftest_arguments.h"
#include "measure/step/scripted_step.h"
#include "measure/step/step_counts_text.h"
#include "scripted_gpu_facts.h"
#include "scripted_gpu_plan.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

/// The workload's batch, one tensor of its size, and a large tensor of either kind of memory.
class ScriptedCopies final : public CopyActions {
 public:
  ScriptedCopies(FakeBackend& backend, const ScriptedStepPlan& plan) : backend_(backend), plan_(plan) {
    const bool pinned = plan.batch.pageable_copies == 0;
    kinds_ = {{CopyLayout::batch, pinned, plan.batch.h2d_bytes, plan.batch.h2d_copies, {}},
              {CopyLayout::single, pinned, plan.batch.h2d_bytes, 1, {}},
              {CopyLayout::single, false, 32 << 20, 1, {}},
              {CopyLayout::single, true, 32 << 20, 1, {}}};
  }
  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t kind) override {
    const CopySeries& series = kinds_[kind];
    const std::int64_t link_ns =
        series.bytes /
        (series.pinned ? 26 : 9);  // GB/s = bytes/ns, PCIe 4 (docs/design/measurement.md, "Reference figures")
    backend_.enqueue(Stream::copy, series.layout == CopyLayout::batch ? plan_.at(Boundary::h2d).device_ns : link_ns);
  }

 private:
  FakeBackend& backend_;
  const ScriptedStepPlan& plan_;
  std::vector<CopySeries> kinds_;
};

/// One batch of another shape in the third window of the e2e pass; it takes as long as fifty steps.
std::vector<ScriptedStepPlan> with_new_shape(const ScriptedStepPlan& plan, const StepCounts& steps) {
  FakeBackend backend;
  ScriptedStep rehearsal(backend, {plan});
  TimedRun run{rehearsal, backend, steps};
  const std::int64_t warm_up_steps = warm_up(run).steps;
  std::vector<ScriptedStepPlan> script(static_cast<std::size_t>(warm_up_steps + 2 * steps.window + 7), plan);
  script.back().batch.shape = 2;
  script.back().at(Boundary::forward).device_ns *= 50;
  script.push_back(plan);
  return script;
}

bool fault_is(const char* name) {
  const char* fault = std::getenv("STEPGATE_TEST_FAULT");
  return fault != nullptr && std::string(fault) == name;
}

void add_timed(const ScriptedStepPlan& plan, RunRecord& record) {
  FakeBackend backend;
  const bool new_shape = fault_is("new_shape") && record.group == Group::timed;
  ScriptedStep step(backend, new_shape ? with_new_shape(plan, record.steps) : std::vector{plan});
  TimedRun run{step, backend, record.steps};
  record.warmup = warm_up(run);
  for (const TimedStepsPass& pass : timed_steps_passes) {
    record.timed[std::string(name_of(pass.pass))] = pass.run(run);
    if (pass.pass != Pass::e2e) continue;
    recheck_steady(record.timed["e2e"], *record.warmup);
    if (record.group == Group::reference) return;
  }
  record.logging = run_logging(run);
  FakeWorkTrace trace(backend);
  record.steps.device_work = run.steps.device_work = 2 * run.steps.window;
  record.device_work = std::get<std::vector<DeviceWorkWindow>>(run_device_work(run, trace));
  ScriptedCopies copies(backend, plan);
  record.h2d = run_copies(copies, backend, record.steps.h2d);
}

void add_exact(const ScriptedStepPlan& plan, RunRecord& record) {
  FakeBackend backend;
  ScriptedCounter counter(true);
  ScriptedStep counted(backend, {plan}, &counter);
  record.counts = run_counts(counted, backend, counter, record.steps);
  ScriptedStep watched(backend, {plan});
  record.memory = run_memory(watched, backend, record.steps);
  // A value of this real process, which the script does not control.
  for (const char* series : {"host_peak_bytes", "host_heap_bytes"}) record.memory->series.erase(series);
  record.absent["loss"] = "a script has no loss";
}

int write_record(const std::vector<std::string>& words) {
  const PerftestArguments arguments = parse_perftest_arguments(words);
  if (arguments.mode != PerftestMode::record) {
    throw Error(ErrorKind::usage, "this program only writes records", "run it through stepgate");
  }
  const char* fault = std::getenv("STEPGATE_TEST_FAULT");
  const bool sound = fault == nullptr || arguments.group == Group::reference;
  const ScriptedStepPlan plan = plan_with(sound ? "none" : fault);
  RunRecord record;
  record.case_name = arguments.case_name;
  record.params = arguments.params;
  record.group = arguments.group;
  record.seed = arguments.seed;
  record.replicate = arguments.replicate;
  record.steps = override_steps({}, arguments.steps);
  record.fingerprint = scripted_gpu_facts(arguments, record.steps);
  arguments.group == Group::exact ? add_exact(plan, record) : add_timed(plan, record);
  write_file_atomically(arguments.record, to_text(record));
  return 0;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  try {
    return stepgate::write_record({argv + 1, argv + argc});
  } catch (const stepgate::NoScriptedGpu& missing) {
    std::fprintf(stderr, "scripted_gpu: %s\n", missing.what());
    return 77;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "scripted_gpu: %s\n", failure.what());
    return 2;
  }
}
