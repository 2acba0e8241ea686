#include "measure/program/case/case_run.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "core/undeclared_amounts.h"
#include "measure/device/cpu/counting_allocator.h"
#include "measure/device/cpu/thread_scheduling.h"
#include "measure/device/emulated_gpu.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/passes/exact/instructions_pass.h"
#include "measure/passes/exact/primitive_creations.h"
#include "measure/passes/tensor_copies.h"
#include "measure/program/case/case_checkpoints.h"
#include "measure/program/case/case_counters.h"
#include "measure/program/case/held_places.h"
#include "measure/program/case/pass_settings.h"
#include "measure/program/case/process_fingerprint.h"
#include "measure/step/loop_facts.h"
#include "system/process_cpu.h"

namespace stepgate {
namespace {

constexpr const char* own_threads = "/proc/self/task";
constexpr const char* skips_metric = "amp_skips_per_step";
constexpr const char* graph_nodes_metric = "graph_kernel_nodes";
constexpr const char* graph_pool_metric = "graph_pool_bytes";
constexpr const char* instructions_metric = "host_instructions_per_step";
constexpr const char* first_update_skipped =
    "the loss scaler skipped the update of the first step, which makes that step shorter";
constexpr const char* primitives_metric = "primitive_creations_after_warmup";

/// No exact pass whose losses are kept runs more steps than that.
std::size_t most_exact_steps(const StepCounts& steps) {
  return static_cast<std::size_t>(steps.exact_warmup + 2 * steps.counts + steps.memory + steps.instructions);
}

std::string message_of(const std::exception& failure) {
  // LibTorch's what() carries a backtrace of its own functions, which says nothing about the workload.
  const auto* torch_failure = dynamic_cast<const c10::Error*>(&failure);
  return torch_failure == nullptr ? failure.what() : torch_failure->what_without_backtrace();
}

}  // namespace

struct CaseRun::Timeline {
  TimedRun run;
  ThreadTimes threads_before = {};
  ProcessCpu cpu_before = {};
};

CaseRun::CaseRun(const Case& test_case, DeviceSide& device, const RunSettings& settings)
    : case_(test_case), device_(device), settings_(settings) {
  if (!settings_.place) settings_.place = std::make_shared<ProcessPlace>();
}

CaseRun::~CaseRun() = default;

BuiltStep CaseRun::build(bool exact) {
  torch::manual_seed(settings_.seed);
  CaseContext context;
  context.device = device_.device();
  context.seed = settings_.seed;
  context.data_dir = settings_.data_dir;
  context.params = case_.params;
  context.params.erase(request_rate_param);  // for the harness; a workload may refuse a parameter that it does not know
  context.dtype = case_.dtype;
  context.synchronous_loader = exact;
  context.rank = settings_.rank_context.rank;
  context.ranks = settings_.rank_context.ranks;
  if (context.ranks > 1) context.rendezvous = settings_.rank_context.folder / fmt::format("build-{}", builds_++);
  settings_.place->step = {};
  BuiltStep built = build_step(case_, context, device_);
  built.step->note_place_in(settings_.place->step);
  LossWatch& losses = built.step->loss_watch();
  exact ? losses.keep_values(most_exact_steps(settings_.steps)) : losses.keep_breaks();
  return built;
}

/// After a pass whose last step has ended on the device. Losses of a device that computes nothing are none.
void CaseRun::keep_losses(std::string_view pass, TensorStep& step) {
  PassLosses losses = step.take_losses();
  if (losses.steps > 0 && !own_gpu_computes_nothing()) found_.losses[std::string(pass)] = std::move(losses);
}

std::string CaseRun::place_text() const {
  if (current_ == nullptr && !case_.loop) return "while the workload was built";
  return text_of(current_ == nullptr ? StepPlace{} : current_->place());
}

void CaseRun::run(Pass pass) {
  const std::string where = fmt::format("case {}, pass {}", case_.name, name_of(pass));
  try {
    current_ = nullptr;
    settings_.place->enter_pass(name_of(pass));
    settings_.rank_context.meet();
    run_unguarded(pass);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", where, error.what()), error.remedy());
  } catch (const std::exception& failure) {
    throw WorkloadFailure(fmt::format("{}, {}: {}", where, place_text(), message_of(failure)));
  } catch (...) {
    throw WorkloadFailure(fmt::format("{}, {}: threw something that is not a std::exception", where, place_text()));
  }
}

void CaseRun::run_unguarded(Pass pass) {
  const bool exact = row_of(pass).group == Group::exact;
  at::set_num_threads(exact ? 1 : static_cast<int>(settings_.threads));
  const Fingerprint before = pass_settings(at::get_num_threads());
  exact ? run_exact(pass) : run_timed(pass);
  note_changes(before, pass_settings(at::get_num_threads()), changed_settings_);
}

void CaseRun::warm_up_once() {
  if (timeline_) {
    current_ = timed_->step.get();
    return;
  }
  settings_.place->stage = RunStage::warm_up;
  timed_backend_ = device_.make_backend(nullptr);
  timed_.emplace(build(false));
  current_ = timed_->step.get();
  timeline_ = std::make_unique<Timeline>(Timeline{{*timed_->step, *timed_backend_, settings_.steps}, {}});
  timeline_->run.agree = settings_.rank_context.agree;
  timeline_->run.yield = settings_.yield;
  settings_.rank_context.meet();
  // The other process of a pair builds now, so that both first steps, and later both first windows, follow each other.
  if (settings_.yield) settings_.yield();
  found_.warmup = warm_up(timeline_->run);
  require_asked_requests(timeline_->run, requests_asked());
  keep_losses("warmup", *timed_->step);
  if (timeline_->run.first_update_skipped) not_counted_["first_step_ns"] = first_update_skipped;
  settings_.place->stage = RunStage::pass;
  timeline_->threads_before = read_thread_times(own_threads);
  timeline_->cpu_before = read_process_cpu();
  if (settings_.yield) settings_.yield();
}

RequestsAsked CaseRun::requests_asked() const { return {case_.params, settings_.seed, settings_.rank_context.ranks}; }

CopyTrials CaseRun::run_h2d() {
  TensorCopies copies(device_, timed_->over_workload->next_batch().tensors);
  CopyTrials trials = run_copies(copies, *timed_backend_, settings_.steps.h2d);
  trials.link_bytes_per_s = device_.link_bytes_per_s();
  return trials;
}

void CaseRun::run_device_work(TimedRun& run) {
  auto trace = device_.make_work_trace();
  auto* reason = std::get_if<std::string>(&trace);
  DeviceWorkFound found =
      reason == nullptr ? stepgate::run_device_work(run, *std::get<0>(trace)) : DeviceWorkFound(*reason);
  if (auto* windows = std::get_if<std::vector<DeviceWorkWindow>>(&found)) {
    found_.device_work = std::move(*windows);
  } else {
    not_counted_["device_idle_ratio"] = std::get<std::string>(found);
  }
}

ProfileRun CaseRun::run_profile_pass(TimedRun& run) {
  return run_profile({.run = run,
                      .step = *timed_->step,
                      .workload = timed_->over_workload,
                      .device = device_.device(),
                      .ranks = settings_.rank_context.ranks,
                      .choice = settings_.profile});
}

void CaseRun::run_timed_pass(const PassRow& pass, TimedRun& run) {
  if (pass.yields == PassYield::copies) {
    found_.h2d = run_h2d();
  } else if (pass.yields == PassYield::logging_blocks) {
    found_.logging = run_logging(run);
  } else if (pass.yields == PassYield::checkpoint) {
    keep_checkpoint(run_checkpoint(run, checkpoint_place(settings_)), save_metric);
  } else if (pass.yields == PassYield::device_work) {
    run_device_work(run);
  } else if (pass.yields == PassYield::profile) {
    found_.profile = run_profile_pass(run);
  } else if (pass.yields == PassYield::closed_loop || pass.yields == PassYield::open_loop) {
    run_request_pass(pass.pass, run, requests_asked(), found_);
  } else {
    found_.timed[std::string(pass.name)] = timed_steps_function(pass.pass)(run);
  }
}

void CaseRun::run_timed(Pass pass) {
  warm_up_once();
  const ThreadTimes threads_at_begin = pass == Pass::e2e ? read_thread_times(own_threads) : ThreadTimes{};
  run_timed_pass(row_of(pass), timeline_->run);
  // Experiments of group profile change the step, so its losses say nothing about the training.
  if (row_of(pass).group == Group::timed) keep_losses(name_of(pass), *timed_->step);
  if (pass == Pass::e2e) {
    recheck_steady(found_.timed.at("e2e"), *found_.warmup);
    found_.background = timeline_->run.background;
    found_.background->threads = background_threads(threads_at_begin, read_thread_times(own_threads), own_threads);
  }
  keep_step_facts(*timed_, row_of(pass).group);
  if (settings_.rank_context.ranks == 1) {  // with several ranks the wait is for each other
    const ThreadTimes threads = read_thread_times(own_threads);
    const std::int64_t tree_ns = read_process_cpu().tree_ns - timeline_->cpu_before.tree_ns;
    found_.scheduling = scheduling_between(timeline_->threads_before, threads, {usable_cpus(), tree_ns});
  }
  if (settings_.yield) settings_.yield();
}

/// Keeps what the record says of the workload or loop that a pass ran over.
void CaseRun::keep_step_facts(const BuiltStep& built, Group group) {
  found_.boundaries = built.step->boundaries();
  facts_ = built.step->facts({.group = group,
                              .steps = settings_.steps,
                              .found_gradients = found_.numerics && !found_.numerics->grad_norm.empty()});
  const auto most = [](const std::vector<KeptTensor>& kept) { return kept.empty() ? 0 : kept.front().times; };
  if (group != Group::profile && most(facts_.kept_tensors) > most(found_.kept_tensors))
    found_.kept_tensors = facts_.kept_tensors;
  keep_inference(facts_.inference, found_);
}

void CaseRun::keep_checkpoint(std::optional<CheckpointSaves> saves, const std::string& metric) {
  if (!saves) not_counted_[metric] = "the workload saves no checkpoint";
  found_.checkpoint = std::move(saves);
}

void CaseRun::begin_exact() {
  current_ = nullptr;  // of the step before, which a failure of the next lines must not name
  exact_.reset();
  device_.release_cached_memory();
  exact_.emplace(build(true));
  current_ = exact_->step.get();
}

void CaseRun::end_exact(Pass pass) {
  keep_step_facts(*exact_, Group::exact);
  if (pass != Pass::numerics) keep_losses(name_of(pass), *exact_->step);  // that one records them itself
  exact_->step->finish();
  current_ = nullptr;
  exact_.reset();
}

void CaseRun::run_exact(Pass pass) {
  const PassYield yields = row_of(pass).yields;
  if (yields == PassYield::instructions) return count_instructions();
  CountingScope counting;  // before the workload is built, so that every block that is freed was counted
  const std::unique_ptr<Backend> backend = device_.make_backend(&counting.allocator());
  begin_exact();
  if (yields == PassYield::counts) {
    count_work(*backend);
  } else if (yields == PassYield::checkpoint) {
    keep_checkpoint(run_checkpoint_bytes(*exact_->step, settings_.steps, checkpoint_place(settings_)),
                    checkpoint_bytes_metric);
  } else if (yields == PassYield::memory) {
    HeldResources held(held_places_of(settings_.record, device_.device().is_cuda()));
    found_.memory = run_memory(*exact_->step, *backend, settings_.steps, &held);
  } else {
    run_numerics_pass(*backend);
  }
  end_exact(pass);
}

void CaseRun::count_work(Backend& backend) {
  const std::unique_ptr<WorkCounter> counter =
      make_observed_counter(device_, backend, [this] { return exact_->step->parameters(); });
  found_.counts = run_counts(*exact_->step, backend, *counter, settings_.steps);
  for (const auto& [metric, reason] : device_.absent_exact_metrics()) {
    found_.counts->per_step.erase(metric);
    found_.counts->by_boundary.erase(metric);
  }
  const auto& counted = found_.counts->per_step;
  if (counted.contains(graph_nodes_metric) && !counted.contains(graph_pool_metric))
    not_counted_[graph_pool_metric] = "LibTorch's allocator does not tell the memory of graphs (PYTORCH_ALLOC_CONF)";
  not_counted_.merge(counter->absent());
  if (!found_.counts->per_step.contains(skips_metric)) {
    not_counted_[skips_metric] = exact_->form->unscaled;
  }
  count_primitives();
}

void CaseRun::count_primitives() {
  auto opened = open_primitive_watch_for(*exact_->form, device_.device());
  if (auto* reason = std::get_if<std::string>(&opened)) {
    not_counted_[primitives_metric] = std::move(*reason);
    return;
  }
  found_.counts->per_step[primitives_metric] =
      count_primitive_creations(*exact_->step, *std::get<0>(opened), settings_.steps);
}

/// Without the counting allocator, whose own instructions would count.
void CaseRun::count_instructions() {
  OpenedInstructionCounter opened = open_instruction_counter_for(device_.device(), settings_.rank_context.ranks);
  if (auto* reason = std::get_if<std::string>(&opened)) {
    not_counted_[instructions_metric] = std::move(*reason);
    return;
  }
  begin_exact();
  found_.instructions = run_instructions(*exact_->step, *std::get<0>(opened), settings_.steps);
  if (!found_.instructions) not_counted_[instructions_metric] = "the processor's counter was taken away meanwhile";
  end_exact(Pass::instructions);
}

RunRecord CaseRun::take_record(Group group) {
  settings_.place->stage = RunStage::after_passes;
  RunRecord record = std::exchange(found_, {});
  record.case_name = case_.name;
  record.params = case_.params;
  record.group = group;
  record.seed = settings_.seed;
  record.steps = settings_.steps;
  record.absent.merge(group == Group::exact ? device_.absent_exact_metrics() : device_.absent_timed_metrics());
  record.absent.merge(not_counted_);
  if (record.counts) declare_absent(undeclared_amounts(record.counts->per_step), record);
  declare_absent(facts_.absent, record);
  declare_absent(absent_requests(record), record);
  record.fingerprint = process_fingerprint({.test_case = case_,
                                            .group = group,
                                            .steps = settings_.steps,
                                            .device = device_.device().is_cuda() ? "cuda" : "cpu",
                                            .seed = settings_.seed,
                                            .data_digest = facts_.data_digest,
                                            .compile_seconds = facts_.compile_seconds,
                                            .device_facts = device_.facts()});
  for (const auto& [setting, value] : changed_settings_) record.fingerprint[setting] = value;
  return record;
}

}  // namespace stepgate
