// A perftest program over the fake backend, a GPU in virtual time. It takes effects of a GPU (overlapping copies,
// pinned memory) through the real launcher, baselines, verdicts and findings on any machine. It does not link LibTorch.
// STEPGATE_TEST_FAULT selects one fault. Virtual times are equal in every process, so verdicts are equal too.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "json/records/run_record_json.h"
#include "measure/passes/copy_trials.h"
#include "measure/passes/exact_passes.h"
#include "measure/passes/timed_passes.h"
#include "measure/program/perftest_arguments.h"
#include "measure/step/scripted_step.h"
#include "measure/step/step_counts_text.h"
#include "system/file.h"

namespace stepgate {
namespace {

constexpr std::int64_t us = 1000;

/// A step with 3 ms of compute. Its copy takes 1.5 ms and overlaps with the previous step.
ScriptedStepPlan gpu_step() {
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.host_ns = 400 * us};
  plan.at(Boundary::h2d) = {.host_ns = 20 * us, .device_ns = 1500 * us};
  plan.at(Boundary::forward) = {.host_ns = 100 * us,
                                .device_ns = 1000 * us,
                                .kept_bytes = 4 << 20,
                                .operators = {{"aten::conv2d", 8}},
                                .kernels = 8};
  plan.at(Boundary::backward) = {.host_ns = 150 * us,
                                 .device_ns = 1700 * us,
                                 .temporary_bytes = 1 << 20,
                                 .operators = {{"aten::convolution_backward", 8}},
                                 .kernels = 16};
  plan.at(Boundary::optimizer) = {
      .host_ns = 50 * us, .device_ns = 300 * us, .operators = {{"aten::_foreach_add_", 2}}, .kernels = 2};
  plan.at(Boundary::logging) = {.host_ns = 5 * us};
  plan.batch = {.samples = 64,
                .padded_tokens = 6400,
                .effective_tokens = 6000,
                .h2d_bytes = 38 << 20,
                .h2d_copies = 2,
                .pageable_copies = 0,
                .shape = 1};
  return plan;
}

ScriptedStepPlan faulty(const std::string& fault) {
  ScriptedStepPlan plan = gpu_step();
  if (fault == "pageable") {
    // The driver copies pageable memory through its own buffer, which is slower, and the host waits for it.
    plan.batch.pageable_copies = 2;
    plan.at(Boundary::h2d) = {.host_ns = 20 * us, .device_ns = 4500 * us, .hidden_sync = true, .host_syncs = 0};
  } else if (fault == "no_overlap") {
    plan.copy_waits_for_compute = true;  // one input buffer instead of two
  } else if (fault == "split") {
    plan.batch.h2d_copies = 64;
    plan.at(Boundary::h2d) = {.host_ns = 300 * us, .device_ns = 3500 * us};
  } else if (fault == "slow_loader") {
    plan.at(Boundary::data_wait).host_ns = 4 * gpu_step().at(Boundary::data_wait).host_ns;
  } else if (fault == "log_sync") {
    plan.at(Boundary::logging) = {.host_ns = 5 * us,
                                  .hidden_sync = true,
                                  .operators = {{"aten::_local_scalar_dense", 1}},
                                  .host_syncs = 1,
                                  .d2h_copies = 1};
  } else if (fault == "padding") {
    // 1.5 times as many tokens, and all additional ones are padding; the kernels are a little faster on the longer
    // rows.
    plan.batch.padded_tokens = 9600;
    plan.at(Boundary::forward).device_ns = 1200 * us;
    plan.at(Boundary::backward).device_ns = 2000 * us;
  } else if (fault == "graph_log") {
    plan.graph_holder = "logging";
  } else if (fault != "none" && fault != "new_shape") {
    throw Error(ErrorKind::usage, "STEPGATE_TEST_FAULT=" + fault + " is not known", "");
  }
  return plan;
}

/// The workload's batch, one tensor of its size, and a large tensor of either kind of memory.
class ScriptedCopies final : public CopyActions {
 public:
  ScriptedCopies(FakeBackend& backend, const ScriptedStepPlan& plan) : backend_(backend), plan_(plan) {
    const bool pinned = plan.batch.pageable_copies == 0;
    kinds_ = {{"batch", pinned, plan.batch.h2d_bytes, plan.batch.h2d_copies, {}},
              {"single", pinned, plan.batch.h2d_bytes, 1, {}},
              {"single", false, 32 << 20, 1, {}},
              {"single", true, 32 << 20, 1, {}}};
  }
  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t kind) override {
    const CopySeries& series = kinds_[kind];
    const std::int64_t link_ns =
        series.bytes /
        (series.pinned ? 26 : 9);  // GB/s = bytes/ns, PCIe 4 (docs/design/measurement.md, "Reference figures")
    backend_.enqueue(Stream::copy, series.layout == "batch" ? plan_.at(Boundary::h2d).device_ns : link_ns);
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
  const bool reference = arguments.group == Group::reference;
  const ScriptedStepPlan plan = reference ? gpu_step() : faulty(fault == nullptr ? "none" : fault);
  RunRecord record;
  record.case_name = arguments.case_name;
  record.group = arguments.group;
  record.seed = arguments.seed;
  record.replicate = arguments.replicate;
  record.steps = override_steps({}, arguments.steps);
  record.fingerprint = {{"gpu", "scripted"}, {"device", "cuda"}, {"build_type", "release"}};
  arguments.group == Group::exact ? add_exact(plan, record) : add_timed(plan, record);
  write_file_atomically(arguments.record, to_text(record));
  return 0;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  try {
    return stepgate::write_record({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "scripted_gpu: %s\n", failure.what());
    return 2;
  }
}
