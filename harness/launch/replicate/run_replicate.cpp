#include "launch/replicate/run_replicate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "environment/evidence/evidence_of.h"
#include "environment/evidence/host_counters.h"
#include "environment/evidence/replicate_watch.h"
#include "environment/evidence/taint.h"
#include "environment/gpu/window_clocks.h"
#include "environment/process/child_environment.h"
#include "json/records/benchmark_output_json.h"
#include "json/records/run_record_json.h"
#include "launch/process/child_process.h"
#include "launch/process/process_failure.h"
#include "launch/process/process_knob_request.h"
#include "launch/process/program_output.h"
#include "launch/program_build.h"
#include "launch/replicate/asked_settings.h"
#include "launch/replicate/benchmark_program.h"
#include "launch/replicate/found_gpus.h"
#include "launch/replicate/record_check.h"
#include "launch/replicate/recorded_evidence.h"
#include "launch/replicate/replicate_folder.h"
#include "launch/replicate/replicate_gpus.h"
#include "launch/replicate/same_folder.h"
#include "launch/replicate/values_refusal.h"
#include "launch/source_lines.h"
#include "system/deadline.h"
#include "system/files/file.h"
#include "system/output_tail.h"
#include "system/place_page.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The record of an earlier run must not be read as the record of this one.
void remove_leftover(const fs::path& record) {
  std::error_code error;
  fs::remove(record, error);
  if (!error) return;
  throw Error(ErrorKind::measure, fmt::format("cannot remove the old record {}: {}", record.string(), error.message()),
              "remove it by hand, or give another folder with --out");
}

/// Offsets become lines while the program is still the one that ran.
void add_source_lines(const ReplicateRequest& request, RunRecord& record) {
  const SourcePlace place{
      .program = program_of(request), .source_root = request.launch.source_root, .known = request.places};
  if (record.counts && record.counts->observed) resolve_places(*record.counts->observed, place);
  if (record.profile && record.profile->observed) resolve_places(*record.profile->observed, place);
}

void read_record(const ReplicateRequest& request, Replicate& replicate) {
  const fs::path path = record_path(request);
  try {
    const auto text = read_text_file_if_present(path, ErrorKind::measure);
    if (!text) {
      replicate.failure = {FailureKind::no_record, fmt::format("ended with status 0 and wrote no {}", path.string()),
                           ""};
      return;
    }
    RunRecord record = run_record_from_text(*text, path.string());
    replicate.failure = record_problem(record, request);
    if (!replicate.failure) replicate.failure = changed_setting(record, request, replicate.knobs);
    if (replicate.failure) return;
    add_source_lines(request, record);
    replicate.record = std::move(record);
  } catch (const Error& error) {
    replicate.failure = {FailureKind::bad_record, error.what(), ""};
  }
}

/// What --benchmark_list_tests prints; "" where it fails.
std::string listed_benchmarks(const ReplicateRequest& request) {
  const fs::path output = output_path(request).replace_extension().replace_extension(".names.txt");
  return program_output({request.launch.program.string(), "--benchmark_list_tests=true"}, output).value_or("");
}

void read_plain_benchmark(const ReplicateRequest& request, Replicate& replicate) {
  const fs::path path = benchmark_path(request);
  const std::string& name = request.launch.benchmark;
  try {
    const auto text = read_text_file_if_present(path, ErrorKind::measure);
    if (!text) {
      replicate.failure = {FailureKind::no_record,
                           fmt::format("ended with status 0 and wrote no {}: is it a Google Benchmark program that "
                                       "takes the library's flags (benchmark::Initialize)?",
                                       path.string()),
                           ""};
      return;
    }
    // A filter that matches nothing leaves an empty file, with status 0.
    const BenchmarkOutput output = text->empty() ? BenchmarkOutput{} : benchmark_output_from_text(*text, path.string());
    const bool ran = std::ranges::find(output.entries, name, &BenchmarkEntry::name) != output.entries.end();
    if (!ran) {
      const bool aggregated = std::ranges::find(output.aggregated, name) != output.aggregated.end();
      replicate.failure = aggregated ? reports_aggregates_only(name) : names_no_such(name, listed_benchmarks(request));
      return;
    }
    BenchmarkReading reading = read_benchmark(output, request);
    replicate.record = std::move(reading.record);
    replicate.failure = std::move(reading.failure);
  } catch (const Error& error) {
    replicate.failure = {FailureKind::bad_record, error.what(), ""};
  }
}

struct Observed {
  ProcessResult process;
  Evidence evidence;
  std::string lost_gpu;                    ///< one sentence where a GPU was lost meanwhile, else ""
  std::vector<ClockReadings> clocks = {};  ///< of each GPU
  /// That its driver reported meanwhile; absent where no GPU is watched.
  std::optional<GpuAnswer<std::vector<GpuFault>>> faults = std::nullopt;
};

bool was_pinned(const ProcessKnobOutcomes& outcomes) {
  const ProcessKnobOutcome& affinity = outcomes[static_cast<std::size_t>(ProcessKnob::affinity)];
  return affinity.wanted && affinity.after == 1;
}

CpuList everywhere(const ReplicateRequest& request) {
  const CpuList& allowed = request.launch.guard.allowed;
  return allowed.empty() ? allowed_cpus() : allowed;
}

/// Bound memory does not migrate, so pages that the kernel migrates belong to other processes.
void add_memory_policy(const ProcessKnobOutcomes& outcomes, Evidence& evidence) {
  const ProcessKnobOutcome& policy = outcomes[static_cast<std::size_t>(ProcessKnob::memory_policy)];
  if (!policy.wanted || policy.after != 1 || evidence.values.erase(EvidenceKey::numa_pages_migrated) == 0) return;
  evidence.absent[EvidenceKey::numa_pages_migrated] =
      "the process's memory is bound to its node: migrations are of others";
}

Observed observe(ProcessRequest process, const ReplicateRequest& request, const std::optional<PlacePage>& page) {
  const CpuChoice& cpus = request.cpus;
  // Without pinning it may run anywhere, so steal time of every CPU counts.
  const bool pins = !process.knobs.cpus.empty();
  const CounterSource source{.sysroot = "/",
                             .measured = pins ? cpus.measured : everywhere(request),
                             .siblings = pins ? cpus.siblings : CpuList{}};
  ReplicateWatch watch("/", process.knobs.cpus, request.group == Group::profile);
  GpuWatch gpu = gpu_watch_of(request, process);
  std::optional<EnergyWatch> energy;
  if (request.group == Group::timed && page) energy.emplace(energy_watch_of(request, process));
  const auto generates_requests = [&] {
    return page && std::ranges::any_of(page->places(), [](const ProcessPlace& place) {
             return is_in_pass(place, name_of(Pass::open_requests));
           });
  };
  process.on_watch = [&](pid_t pid) { watch.sample(pid, generates_requests); };
  process.on_wait = [&] {
    gpu.look([&] { return page ? measured_stage(page->places()) : MeasuredStage::unknown; });
    if (energy) energy->look([&] { return page->places(); });
  };
  const HostCounters before = read_host_counters(source);
  const ProcessResult result = run_process(process);
  ChildUsage child = child_usage(result.usage, result.wall_s, result.exited);
  child.left_behind_cpu_s = result.left_behind_cpu_s;
  const EvidenceInput input{.before = before,
                            .after = read_host_counters(source),
                            .child = child,
                            .measured = was_pinned(result.knobs) ? cpus.measured : CpuList{},
                            .shares_cpus = process.inherited >= 0,
                            .ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK))};
  if (result.end == ProcessEnd::not_started) return {.process = result, .evidence = {}, .lost_gpu = ""};
  Evidence evidence = evidence_of(input);
  if (was_pinned(result.knobs)) watch.add_to(evidence, result.wall_s);
  tell_own_move(input.before, input.after, evidence);
  gpu.add_to(evidence);
  if (energy) energy->add_to(evidence);
  add_memory_policy(result.knobs, evidence);
  auto faults = gpu.faults();
  return {.process = result,
          .evidence = std::move(evidence),
          .lost_gpu = gpu.lost(),
          .clocks = gpu.clocks(),
          .faults = std::move(faults)};
}

/// One sentence for each host knob that changed.
std::vector<std::string> add_overwritten(const LaunchGuard& guard, Evidence& evidence) {
  if (!guard.overwritten) return {};
  std::vector<std::string> sentences = guard.overwritten();
  evidence.values[EvidenceKey::knobs_overwritten] = static_cast<double>(sentences.size());
  return sentences;
}

/// The file stays where the record is of no use, and after a sweep.
void hide_secrets_in(const fs::path& file, const SecretMask& secrets) {
  if (secrets.is_empty()) return;
  try {
    const auto text = read_text_file_if_present(file, ErrorKind::measure);
    const std::string masked = secrets.masked(text.value_or(""));
    if (text && masked != *text) write_file_atomically(file, masked);
  } catch (const Error&) {  // a FIFO, a folder, a terabyte: the failure of the process names it
  }
}

/// Masks the texts that the program chose, and the user's variables. Numbers do not reveal a secret.
void hide_secrets(const SecretMask& secrets, Replicate& replicate) {
  for (auto& [name, value] : replicate.environment) value = secrets.masked(std::move(value));
  if (replicate.failure) replicate.failure->message = secrets.masked(std::move(replicate.failure->message));
  if (!replicate.record) return;
  for (auto* texts : {&replicate.record->fingerprint, &replicate.record->params, &replicate.record->absent}) {
    for (auto& [name, text] : *texts) text = secrets.masked(std::move(text));
  }
  if (replicate.record->memory) {
    for (auto& [series, rise] : replicate.record->memory->rises) rise.example = secrets.masked(std::move(rise.example));
  }
  if (replicate.record->background) {
    std::map<std::string, std::int64_t> threads;
    for (const auto& [name, ns] : replicate.record->background->threads) threads[secrets.masked(name)] += ns;
    replicate.record->background->threads = std::move(threads);
  }
}

/// A value of the user's own would name some other descriptor, or another time. A timed process leaves nothing out for
/// its deadline, so it has none.
Variables environment_with(const std::optional<PlacePage>& page, const ReplicateRequest& request,
                           Variables environment) {
  environment.erase(place_variable);
  environment.erase(deadline_variable);
  if (page && page->number() >= 0) environment.emplace(place_variable, page->value());
  if (request.group == Group::exact)
    environment.emplace(deadline_variable, deadline_value(request.launch.plan.timeout_s));
  return environment;
}

/// Nothing else that the launcher starts gets the emulated GPU.
Variables with_device_of(const ReplicateRequest& request, Variables environment) {
  if (!request.launch.emulated) return environment;
  EmulatedGpu gpu = *request.launch.emulated;
  if (request.emulated_run != EmulatedRun::judged) gpu.settings["order"] = order_path(request).string();
  if (request.emulated_run == EmulatedRun::other) gpu.settings["answers"] = "other";
  return with_emulated_gpu(std::move(environment), gpu);
}

Replicate replicate_of(const ReplicateRequest& request) {
  Replicate replicate;
  replicate.group = request.group;
  replicate.index = request.index;
  replicate.attempt = request.attempt;
  replicate.command = runs_plain_benchmark(request) ? benchmark_command(request) : perftest_command(request);
  return replicate;
}

}  // namespace

Replicate run_replicate(const ReplicateRequest& request) {
  const LaunchRequest& launch = request.launch;
  const SameFolder out(launch.out_dir);
  Replicate replicate = replicate_of(request);
  const Variables parent = own_environment();
  const Variables pinned = pinned_variables(launch.plan, request.group, visible_text(launch.gpus));
  const Variables child = child_environment(parent, pinned, launch.passed_variables);
  replicate.environment = recorded_variables(child, pinned);
  const bool plain = runs_plain_benchmark(request);
  remove_leftover(plain ? benchmark_path(request) : record_path(request));
  const ReplicateFolder temporaries(child, record_path(request));
  // A plain Google Benchmark program would not write into it.
  const std::optional<PlacePage> page = plain ? std::nullopt : std::make_optional<PlacePage>();
  const Variables own = temporaries.with_folder(with_own_libraries(child, program_of(request)));
  const ProcessRequest process{.command = replicate.command,
                               .environment = with_device_of(request, environment_with(page, request, own)),
                               .knobs = process_knob_request(launch.guard, request.cpus),
                               .output = output_path(request),
                               .timeout_s = launch.plan.timeout_s,
                               .interrupted = request.interrupted,
                               .inherited = request.group == Group::timed ? launch.turn_socket : -1,
                               .place = page ? page->number() : -1,
                               .on_watch = {},
                               .secrets = SecretMask(parent)};
  const Observed observed = observe(process, request, page);
  out.require();
  replicate.evidence = observed.evidence;
  replicate.knobs = process_knob_reports(process.knobs, observed.process.knobs);
  const std::vector<std::string> overwritten = add_overwritten(launch.guard, replicate.evidence);
  const std::vector<ProcessPlace> places = page ? page->places() : std::vector<ProcessPlace>{};
  replicate.failure = process_failure(observed.process, process, places);
  if (replicate.failure && launch.emulated) add_need_of_values(observed.process, *replicate.failure);
  if (replicate.failure && replicate.failure->kind == FailureKind::unavailable) {
    if (auto lost = lost_gpu(launch.gpus, places)) {
      replicate.failure = std::move(lost);
    } else if (is_gpu_too_small(places)) {
      replicate.failure->kind = FailureKind::gpu_too_small;
    }
  }
  if (!replicate.failure) plain ? read_plain_benchmark(request, replicate) : read_record(request, replicate);
  if (replicate.record) add_window_clocks(observed.clocks, *replicate.record);
  add_lost_gpu(observed.lost_gpu, replicate);
  if (observed.faults) add_gpu_faults(*observed.faults, replicate);
  add_recorded_evidence(request, observed.process.left_behind_cpu_s, replicate);
  // Evidence alone decides; no time has been read. Counts, bytes and losses are the same on a noisy machine, so group
  // exact is never tainted.
  if (request.group != Group::exact) {
    replicate.taint_reasons = taint_reasons(replicate.evidence, taint_limits_with(launch.taint_limits));
    if (!replicate.taint_reasons.empty()) {
      replicate.taint_reasons.insert(replicate.taint_reasons.end(), overwritten.begin(), overwritten.end());
    }
  }
  hide_secrets(process.secrets, replicate);
  hide_secrets_in(plain ? benchmark_path(request) : record_path(request), process.secrets);
  if (replicate.failure) replicate.failure->output_tail = output_tail(observed.process.printed);
  return replicate;
}

Replicate interrupted_before_start(const ReplicateRequest& request) {
  Replicate replicate = replicate_of(request);
  replicate.failure = {FailureKind::interrupted,
                       fmt::format("not started, since {} came first", signal_name(request.interrupted->load())), ""};
  return replicate;
}

}  // namespace stepgate
