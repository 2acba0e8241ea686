// A small profile on a CPU, steady and complete, until a test changes one thing: a step of 10 ms of which 1 ms waits
// for data, 4 ms multiply matrices, 2 ms add, 1 ms is calls.
#pragma once

#include <string>

#include "diagnose/profile/profile_case.h"

namespace stepgate {

struct SampleProfileInput : ProfileInput {
  static constexpr double step_ns = 10e6;

  SampleProfileInput() {
    timed.case_name = "suite/case";
    for (int i = 0; i < 3; ++i) add_timed();
    Replicate& counted = exact.replicates.emplace_back();
    counted.group = Group::exact;
    counted.record.emplace().group = Group::exact;
    Replicate& observed = profile.replicates.emplace_back();
    observed.group = Group::profile;
    observed.record.emplace().profile = profile_run();
  }

  void add_timed() {
    RunRecord& record = timed.replicates.emplace_back().record.emplace();
    record.warmup = Warmup{.first_step_ns = 50'000'000, .steps = 21, .steady = true, .reasons = {}};
    for (const char* pass : {"e2e", "phase"}) {
      record.timed[pass].clock = "steady_clock";
      StepSample step{.wall_ns = 10'000'000, .samples = 8};
      step.host_ns = {1'000'000, 0, 3'000'000, 4'500'000, 1'000'000, 200'000};
      record.timed[pass].steps.assign(10, step);
    }
  }

  /// `eight_steps_ns` is its time in eight steps: the run has four.
  static OperatorSite site(const std::string& boundary, const std::string& name, std::int64_t eight_steps_ns) {
    OperatorSite made{.boundary = boundary, .name = name};
    made.outputs = {{.sizes = {64, 64}, .strides = {64, 1}, .dtype = "float32"}};
    made.calls = made.leaf_calls = 4;
    made.has_formula = true;
    made.self_ns = made.total_ns = eight_steps_ns / 2;
    return made;
  }

  /// Four steps, in which the observer cost nothing. Peaks: 1 FLOP/ns, 1 byte/ns, 1 us a call.
  static ProfileRun profile_run() {
    ProfileRun run;
    run.peaks = {.flops_per_s = {{"float32", 1e9}}, .bandwidth = {{1 << 20, 1e9}}, .floor_ns = 1000};
    ObservedWork& work = run.observed.emplace();
    work.steps = 4;
    work.places = {{.offsets = {16}, .frames = {{"apply"}, {"Net::forward", "net.cpp", 12}}}};
    OperatorSite product = site("forward", "aten::mm", 32'000'000);  // 4 ms a step
    product.flops = 4 * 3'000'000;
    product.place = 0;
    OperatorSite sum = site("backward", "aten::add", 16'000'000);  // 2 ms
    sum.bytes = 4 * 1'000'000;
    OperatorSite calls = site("optimizer", "aten::empty", 8'000'000);  // 1 ms
    calls.calls = 4 * 2000;
    work.sites = {sum, product, calls, site("data_wait", "aten::cat", 64'000'000)};
    run.observed_wall_ns = 40'000'000;
    run.unobserved_wall_ns = 40'000'000;
    return run;
  }

  ProfileRun& run() { return *profile.replicates[0].record->profile; }
  OperatorSite& product() { return run().observed->sites[1]; }
  WorkCounts& counts() {
    auto& counted = exact.replicates[0].record->counts;
    return counted ? *counted : counted.emplace();
  }

  /// What `boundary` takes of each step in the phase pass.
  void spends_on(Boundary boundary, std::int64_t ns) {
    for (Replicate& replicate : timed.replicates) {
      for (StepSample& step : replicate.record->timed["phase"].steps) {
        step.host_ns[static_cast<std::size_t>(boundary)] = ns;
      }
    }
  }

  /// Host time of `boundary` in each step of the e2e pass.
  void takes(Boundary boundary, std::int64_t ns) { takes(boundary, ns, timed); }
  static void takes(Boundary boundary, std::int64_t ns, Measurement& measurement) {
    for (Replicate& replicate : measurement.replicates) {
      for (StepSample& step : replicate.record->timed["e2e"].steps) {
        step.host_ns[static_cast<std::size_t>(boundary)] = ns;
      }
    }
  }

  /// The time of a batch where nothing but the loader runs.
  void loads_alone(std::int64_t ns) {
    for (Replicate& replicate : timed.replicates) {
      replicate.record->timed["loader"].windows = {{.wall_ns = 10 * ns, .first_step = 0, .steps = 10}};
    }
  }

  void on_gpu(std::int64_t device_work_ns) {
    timed.plan.device = Device::cuda;
    for (Replicate& replicate : timed.replicates) {
      replicate.record->device_work.assign(2, {10'000'000 * 10, device_work_ns * 10, 50, 10, false});
    }
  }

  /// `proof` with an interval of `spread` on both sides of the effect.
  ExperimentResult& ran(Experiment experiment, double effect, Proof proof, double spread = 0.005) {
    ExperimentResult& result = experiments.emplace_back();
    result.experiment = experiment;
    result.processes = 4;
    result.effect = effect;
    result.interval = Interval{effect - spread, effect + spread};
    result.proof = proof;
    return result;
  }
};

/// 60 % of the step are calls in forward, 5 % other operators, 7 % host code between them; beside them 10 % wait for
/// data, 10 % are the optimizer, 2 % logging.
inline SampleProfileInput bound_by_calls() {
  SampleProfileInput input;
  std::vector<OperatorSite>& sites = input.run().observed->sites;
  for (OperatorSite* site : {&sites[0], &sites[1]}) site->self_ns = site->total_ns = 1'000'000;
  sites[0].bytes = sites[1].flops = 4 * 100'000;
  sites[2].boundary = "forward";
  sites[2].self_ns = sites[2].total_ns = 24'000'000;
  sites[2].calls = sites[2].leaf_calls = 4 * 5000;
  input.takes(Boundary::forward, 2'700'000);
  return input;
}

}  // namespace stepgate
