// The records that the processes of a profile of a scripted pipeline would leave.
#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <iterator>
#include <random>

#include "lab/noisy_machine.h"
#include "lab/pipeline_clock.h"
#include "stats/summary.h"

namespace stepgate::lab {
namespace {

constexpr int timed_processes = 3;
constexpr int doubled_processes = 2;
constexpr int block_steps = 20;
/// Twice the queue times step over the smaller delay: until a queue has run empty or full.
constexpr int settling_steps = 80;
constexpr double small_delay = 0.05;
constexpr double large_delay = 0.10;
/// What a thief takes: time at the bandwidth roof grows by half.
constexpr double thief_factor = 1.5;
constexpr double fused_factor = 0.25;
constexpr std::int64_t floor_ns = 500;
constexpr double peak_flops_per_s = 100e9;
constexpr double memory_bytes_per_s = 20e9;

/// Draws steps of the recorded trace in their order, from a drawn place on.
class StepNoise {
 public:
  StepNoise(const NoiseModel& model, NoisyMachine& machine)
      : model_(model),
        mean_(mean(model.trace)),
        process_(model.process_sd * machine.normal()),
        place_(boost::random::uniform_int_distribution<std::size_t>(0, model.trace.size() - 1)(machine.generator())) {}

  double operator()() {
    place_ = (place_ + 1) % model_.trace.size();
    return std::exp(process_ + model_.trace[place_] - mean_);
  }

 private:
  const NoiseModel& model_;
  double mean_;
  double process_;
  std::size_t place_;
};

struct Variant {
  std::string_view name;
  ScriptedPipeline pipeline;
  double delay_ns = 0;
};

std::vector<Variant> variants_of(const ScriptedPipeline& pipeline) {
  std::vector<Variant> made = {{"baseline", pipeline}};
  const auto add = [&](Experiment experiment, auto change) {
    ScriptedPipeline changed = pipeline;
    change(changed);
    made.push_back({name_of(experiment), changed, changed.loading_ns() - pipeline.loading_ns()});
  };
  const double step_ns = true_step_ns(pipeline);
  const auto without_loader = [](ScriptedPipeline& each) { each.loader_ns = each.fixed_in(Boundary::data_wait) = 0; };
  add(Experiment::synthetic_batch, [&](ScriptedPipeline& each) {
    without_loader(each);
    each.copy_ns = each.fixed_in(Boundary::h2d) = 0;
  });
  if (pipeline.gpu || pipeline.fixed_in(Boundary::h2d) > 0) add(Experiment::resident_batch, without_loader);
  for (const double delay : {small_delay, large_delay}) {
    if (pipeline.loads_too_fast()) break;
    add(Experiment::delayed_loader, [&](ScriptedPipeline& each) {
      (pipeline.loader_ns > 0 ? each.loader_ns : each.fixed_in(Boundary::data_wait)) += delay * step_ns;
    });
  }
  if (pipeline.gpu) add(Experiment::extra_sync, [](ScriptedPipeline& each) { each.syncs_at_boundaries = true; });
  add(Experiment::optimizer_skipped,
      [](ScriptedPipeline& each) { each.optimizer_ns = each.fixed_in(Boundary::optimizer) = 0; });
  add(Experiment::optimizer_fused, [](ScriptedPipeline& each) {
    each.optimizer_ns *= fused_factor;
    each.fixed_in(Boundary::optimizer) *= fused_factor;
  });
  add(Experiment::logging_off, [](ScriptedPipeline& each) { each.logging_ns = each.fixed_in(Boundary::logging) = 0; });
  if (!pipeline.gpu) {
    add(Experiment::busy_core, [](ScriptedPipeline&) {});
    add(Experiment::bandwidth_thief, [](ScriptedPipeline& each) { each.bandwidth_ns *= thief_factor; });
  }
  return made;
}

OperatorSite site_of(const char* boundary, const char* name, double self_ns) {
  OperatorSite site{.boundary = boundary, .name = name};
  site.outputs = {{.sizes = {512, 512}, .strides = {512, 1}, .dtype = "float32"}};
  site.self_ns = site.total_ns = std::llround(self_ns * block_steps);
  site.calls = site.leaf_calls = block_steps;
  site.has_formula = true;
  return site;
}

/// Times of calls are host times: on a GPU a call returns when its work is queued.
ObservedWork observed_work(const ScriptedPipeline& pipeline) {
  constexpr double ns_per_s = 1e9;
  const double on_host = pipeline.gpu ? 0 : 1;
  ObservedWork work{.steps = block_steps, .by_shape = true};
  OperatorSite product = site_of("forward", "aten::mm", pipeline.compute_ns * on_host);
  product.flops = std::llround(0.7 * static_cast<double>(product.self_ns) / ns_per_s * peak_flops_per_s);
  OperatorSite sum = site_of("backward", "aten::add", pipeline.bandwidth_ns * on_host);
  sum.bytes = std::llround(0.8 * static_cast<double>(sum.self_ns) / ns_per_s * memory_bytes_per_s);
  OperatorSite view = site_of("forward", "aten::view", pipeline.dispatch_ns);
  view.calls = view.self_ns / floor_ns;
  OperatorSite update = site_of("optimizer", "aten::addcdiv_", pipeline.optimizer_ns / (pipeline.gpu ? 2 : 1));
  update.calls = update.self_ns / floor_ns;
  work.sites = {product, sum, view, update};
  return work;
}

/// Leaves the unchanged step and these experiments; none named: all.
void keep_variants(const std::vector<Experiment>& chosen, std::vector<Variant>& variants) {
  if (chosen.empty()) return;
  std::erase_if(variants, [&](const Variant& variant) {
    const auto experiment = experiment_named(variant.name);
    return experiment && std::ranges::find(chosen, *experiment) == chosen.end();
  });
}

/// `rounds`: where all experiments run; others have as many blocks in all.
ProfileRun profile_run(const ScriptedPipeline& pipeline, StepNoise& noise, int rounds,
                       const std::vector<Experiment>& chosen) {
  ProfileRun run;
  auto variants = variants_of(pipeline);
  const auto blocks = rounds * std::ssize(variants);
  keep_variants(chosen, variants);
  for (std::int64_t round = 0; round < blocks / std::ssize(variants); ++round) {
    for (const Variant& variant : variants) {
      PipelineClock clock(variant.pipeline, [&noise] { return noise(); });
      clock.run(settling_steps);
      run.blocks.push_back({.variant = std::string(variant.name),
                            .round = round,
                            .delay_ns = std::llround(variant.delay_ns),
                            .wall_ns = std::llround(clock.run(block_steps).wall_ns),
                            .steps = block_steps});
    }
  }
  if (pipeline.loads_too_fast()) {
    run.absent[std::string(name_of(Experiment::delayed_loader))] = std::string(too_fast_to_delay);
  }
  run.observed = observed_work(pipeline);
  run.unobserved_wall_ns = std::llround(true_step_ns(pipeline) * block_steps);
  run.observed_wall_ns = run.unobserved_wall_ns;
  run.peaks = {.flops_per_s = {{"float32", peak_flops_per_s}},
               .bandwidth = {{1 << 20, memory_bytes_per_s}},
               .floor_ns = floor_ns};
  return run;
}

/// `ran` are `steps` steps.
StepSample step_sample(const RunSteps& ran, int steps) {
  StepSample step;
  step.wall_ns = std::llround(ran.wall_ns);
  for (std::size_t i = 0; i < boundary_count; ++i) step.host_ns.at(i) = std::llround(ran.host_ns.at(i) / steps);
  return step;
}

void load_alone(const ScriptedPipeline& pipeline, StepNoise& noise, RunRecord& record) {
  constexpr int batches = 10;
  double wall_ns = 0;
  for (int i = 0; i < batches; ++i) wall_ns += pipeline.loading_ns() * noise();
  record.timed["loader"].windows = {{.wall_ns = std::llround(wall_ns), .first_step = 0, .steps = batches}};
}

RunRecord timed_record(const ScriptedPipeline& pipeline, StepNoise& noise) {
  RunRecord record;
  record.warmup = Warmup{.first_step_ns = 0, .steps = settling_steps, .steady = true, .reasons = {}};
  TimedPass& pass = record.timed["e2e"];
  pass.clock = pipeline.gpu ? "virtual" : "steady_clock";
  PipelineClock clock(pipeline, [&noise] { return noise(); });
  clock.run(settling_steps);
  for (int window = 0; window < 6; ++window) {
    // On a CPU every step waits for itself; on a GPU only a window does.
    const int steps = pipeline.gpu ? 10 : 1;
    for (int i = 0; i < 10; i += steps) {
      const RunSteps ran = clock.run(steps);
      pass.steps.push_back(step_sample(ran, steps));
      if (!pipeline.gpu) continue;
      pass.windows.push_back({.wall_ns = std::llround(ran.wall_ns), .first_step = window * 10, .steps = steps});
      record.device_work.push_back({std::llround(ran.wall_ns), std::llround(ran.device_ns), 100, steps, false});
    }
  }
  load_alone(pipeline, noise, record);
  return record;
}

RunRecord exact_record(const ScriptedPipeline& pipeline) {
  RunRecord record;
  record.group = Group::exact;
  record.counts = WorkCounts{};
  const std::vector<std::int64_t> syncs(8, pipeline.syncs ? 8 : 0);
  if (pipeline.gpu) record.counts->per_step["host_syncs_per_step"] = syncs;
  return record;
}

Measurement measurement_of(const ScriptedPipeline& pipeline, std::vector<RunRecord> records) {
  Measurement made;
  made.case_name = "lab/pipeline";
  made.plan.device = pipeline.gpu ? Device::cuda : Device::cpu;
  for (RunRecord& record : records) {
    Replicate& replicate = made.replicates.emplace_back();
    replicate.index = std::ssize(made.replicates) - 1;
    replicate.group = record.group;
    replicate.record = std::move(record);
  }
  return made;
}

Measurement timed_measurement(const ScriptedPipeline& pipeline, const NoiseModel& noise, NoisyMachine& machine,
                              int processes) {
  std::vector<RunRecord> records;
  for (int i = 0; i < processes; ++i) {
    StepNoise steps(noise, machine);
    records.push_back(timed_record(pipeline, steps));
  }
  return measurement_of(pipeline, std::move(records));
}

Measurement profile_measurement(const ScriptedPipeline& pipeline, const NoiseModel& noise, NoisyMachine& machine,
                                const PipelineDraw& draw) {
  std::vector<RunRecord> records;
  const auto add = [&](const std::vector<Experiment>& chosen) {
    StepNoise steps(noise, machine);
    RunRecord& record = records.emplace_back();
    record.group = Group::profile;
    record.profile = profile_run(pipeline, steps, draw.rounds, chosen);
  };
  for (int i = 0; i < draw.profile_processes; ++i) add({});
  for (int i = 0; i < draw.profile_processes && !draw.further.empty(); ++i) add(draw.further);
  return measurement_of(pipeline, std::move(records));
}

ScriptedPipeline with_doubled_batch(ScriptedPipeline pipeline) {
  pipeline.loader_ns *= 2;
  pipeline.copy_ns *= 2;
  pipeline.compute_ns *= 2;
  pipeline.bandwidth_ns *= 2;
  return pipeline;
}

ScriptedPipeline with_doubled_threads(ScriptedPipeline pipeline) {
  pipeline.compute_ns /= 2;
  pipeline.bandwidth_ns /= 2;
  return pipeline;
}

}  // namespace

ProfileInput profiled(const ScriptedPipeline& pipeline, const NoiseModel& noise, const PipelineDraw& draw) {
  NoisyMachine machine(noise, draw.seed);
  ProfileInput input{.timed = timed_measurement(pipeline, noise, machine, timed_processes),
                     .exact = measurement_of(pipeline, {exact_record(pipeline)}),
                     .profile = {}};
  input.doubled_batch = timed_measurement(with_doubled_batch(pipeline), noise, machine, doubled_processes);
  if (!pipeline.gpu) {
    input.doubled_threads = timed_measurement(with_doubled_threads(pipeline), noise, machine, doubled_processes);
  }
  // Last: a further look sees the same processes and more.
  input.profile = profile_measurement(pipeline, noise, machine, draw);
  return input;
}

}  // namespace stepgate::lab
