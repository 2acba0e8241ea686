#include "experiment/studies/run_ablation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/host/process_knob.h"
#include "environment/process/process_knobs.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/selection.h"
#include "json/studies/ablation_json.h"
#include "judge/studies/ablation_verdict.h"
#include "launch/pair_order.h"
#include "stats/summary.h"
#include "system/elapsed.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

std::optional<AblationSide> side_of(const RunRecord& record) {
  const auto pass = record.timed.find("e2e");
  if (pass == record.timed.end() || pass->second.steps.empty()) return std::nullopt;
  std::vector<double> steps;
  for (const StepSample& step : pass->second.steps) steps.push_back(static_cast<double>(step.wall_ns));
  const double middle = median(steps);
  if (!(middle > 0)) return std::nullopt;
  return AblationSide{middle, robust_standard_deviation(steps) / middle};
}

/// The message, and what the process itself said last.
std::string message_of(const ReplicateFailure& failure) {
  std::string said = failure.output_tail;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? failure.message : fmt::format("{}: {}", failure.message, said);
}

ManifestCase case_to_ablate(const Manifest& manifest, const std::string& name) {
  ManifestCase entry = case_named(manifest, name);
  if (entry.benchmark.empty()) return entry;
  throw Error(ErrorKind::usage,
              fmt::format("{} is a plain Google Benchmark program, and stepgate cannot see its steps", entry.name),
              "ablate a case of a perftest program; stepgate list names them");
}

/// The case, its policy and the host that the rounds change.
struct AblatedCase {
  const ManifestCase& entry;
  Policy policy;
  QuietHost& host;
};

/// All pairs of all knobs.
class AblationRounds {
 public:
  AblationRounds(const Project& project, const AblationOptions& options, const Caller& caller, AblatedCase ablated)
      : project_(project), options_(options), caller_(caller), ablated_(std::move(ablated)) {
    Ablation& whole = ablation_;
    whole.case_name = options.case_name;
    whole.runner_class = project.runner_class;
    whole.utc = project.start.utc;
    whole.commit = project.commit;
    whole.seed = options.order_seed.value_or(static_cast<std::uint64_t>(project.start.unix_s));
    whole.pairs = options.pairs;
    for (const KnobReport& knob : knobs_to_measure()) whole.knobs.push_back({.knob = knob});
    for (const AblatedKnob& knob : whole.knobs) {
      orders_[knob.knob.name] = head_first_orders(whole.seed, whole.case_name + " " + knob.knob.name, whole.pairs);
    }
  }

  Ablation run() {
    for (std::int64_t round = 0; round < ablation_.pairs && !ablation_.interrupted; ++round) {
      for (AblatedKnob& knob : ablation_.knobs) {
        if (knob.failure.empty()) measure_pair(round, knob);
        if (caller_.interrupted != 0) {
          ablation_.interrupted = true;
          break;
        }
      }
    }
    leave_host_modes();
    ablation_.seconds = seconds_since(start_);
    return std::move(ablation_);
  }

  const std::vector<double>& quiet_waits() const { return quiet_waits_; }

 private:
  std::vector<KnobReport> knobs_to_measure() const {
    std::vector<KnobReport> knobs;
    const auto add = [&](std::string_view name, GuardMode mode, const std::string& wanted) {
      knobs.push_back({.name = std::string(name), .mode = mode, .state = KnobState::achieved, .wanted = wanted});
    };
    add(whole_process_mode, GuardMode::process, "all knobs of a process");
    const bool has_nodes = !memory_nodes_of("/", ablated_.host.cpus().measured).empty();
    for (const ProcessKnobRow& row : process_knob_rows) {
      if (row.ablated && (row.knob != ProcessKnob::memory_policy || has_nodes)) add(row.name, row.mode, "");
    }
    add(malloc_knob, GuardMode::process, "tuned");
    if (options_.host.mode == GuardMode::host) {
      add(whole_host_mode, GuardMode::host, "all knobs of the host");
      for (KnobReport& knob : ablated_.host.host_knobs()) {
        // A GPU's clock is available only with an option that names it.
        if (knob.state == KnobState::available && knob.remedy.empty()) knobs.push_back(std::move(knob));
      }
    }
    keep_only(options_.host.knobs, knobs);
    return knobs;
  }

  static void keep_only(const std::vector<std::string>& asked, std::vector<KnobReport>& knobs) {
    if (asked.empty()) return;
    std::erase_if(
        knobs, [&](const KnobReport& knob) { return std::find(asked.begin(), asked.end(), knob.name) == asked.end(); });
    if (!knobs.empty()) return;
    throw Error(ErrorKind::usage, "none of the knobs in --knobs can be set here in this mode",
                "stepgate doctor says which can, and in which mode");
  }

  void measure_pair(std::int64_t round, AblatedKnob& knob) {
    const bool with_first = orders_.at(knob.knob.name)[static_cast<std::size_t>(round)];
    const auto first = measure_side(round, knob, with_first);
    const auto second = caller_.interrupted == 0 ? measure_side(round, knob, !with_first) : std::nullopt;
    if (!knob.failure.empty() || caller_.interrupted != 0) return;
    if (!first || !second) {
      ++knob.tainted_pairs;
      return;
    }
    knob.pairs.push_back({with_first ? *first : *second, with_first ? *second : *first, with_first});
  }

  /// Absent if interference discarded the process, or if it failed: then `knob.failure` says so.
  std::optional<AblationSide> measure_side(std::int64_t round, AblatedKnob& knob, bool with) {
    const MeasuredHost host = host_of_side(knob.knob.name, with);
    LaunchRequest request = request_for({project_, options_.measure, host, caller_}, ablated_.entry, ablated_.policy);
    request.groups = {Group::timed};
    request.plan.timed_replicates = 1;
    if (knob.knob.name == malloc_knob) request.plan.malloc_policy = with ? "tuned" : "system";
    request.out_dir = project_.out / "ablate" / ablated_.entry.name /
                      fmt::format("{}/{:03}-{}", knob.knob.name, round, with ? "with" : "without");
    const Measurement done = measure_case(request, callbacks_for(caller_));
    if (ablation_.host.empty()) ablation_.host = done.host;
    if (done.replicates.empty()) return std::nullopt;
    const Replicate& replicate = done.replicates.back();
    if (with) note_knob(replicate, host, knob);
    if (replicate.failure) {
      if (replicate.failure->kind != FailureKind::interrupted) knob.failure = message_of(*replicate.failure);
      return std::nullopt;
    }
    if (with && (knob.knob.name == whole_process_mode || knob.knob.name == whole_host_mode)) note_wait(replicate);
    return replicate.taint_reasons.empty() && replicate.record ? side_of(*replicate.record) : std::nullopt;
  }

  /// The state of the knob on the side that has it: a denied knob has no effect to measure.
  static void note_knob(const Replicate& replicate, const MeasuredHost& host, AblatedKnob& knob) {
    const auto find_in = [&](const std::vector<KnobReport>& reports) {
      const auto found = std::find_if(reports.begin(), reports.end(),
                                      [&](const KnobReport& one) { return one.name == knob.knob.name; });
      if (found != reports.end()) knob.knob = *found;
    };
    find_in(replicate.knobs);
    find_in(host.guard.host_knobs);
  }

  /// Keeps the wait of a process that has no reason for taint except, possibly, the wait itself.
  void note_wait(const Replicate& replicate) {
    constexpr EvidenceKey key = EvidenceKey::runqueue_wait_fraction;
    const bool disturbed = std::any_of(replicate.taint_reasons.begin(), replicate.taint_reasons.end(),
                                       [](const std::string& reason) { return !reason.starts_with(name_of(key)); });
    const auto wait = replicate.evidence.values.find(key);
    if (!disturbed && wait != replicate.evidence.values.end()) quiet_waits_.push_back(wait->second);
  }

  /// The host of the next process: mode process, and the knob in question as this side has it.
  MeasuredHost host_of_side(const std::string& name, bool with) {
    leave_host_modes();
    const bool is_process_knob =
        std::find(process_knob_names.begin(), process_knob_names.end(), name) != process_knob_names.end();
    const bool is_host_knob = !is_process_knob && name != whole_process_mode && name != malloc_knob;
    if (is_host_knob && with)
      ablated_.host.engage(name == whole_host_mode ? std::vector<std::string>{} : std::vector{name});
    MeasuredHost host = ablated_.host.measured();
    host.guard.off.clear();
    if (is_process_knob && !with) host.guard.off.insert(name);
    if (name == whole_process_mode && !with) host.guard.mode = GuardMode::observe;
    return host;
  }

  void leave_host_modes() {
    if (ablated_.host.measured().guard.mode == GuardMode::host) ablated_.host.release();
  }

  const Project& project_;
  const AblationOptions& options_;
  const Caller& caller_;
  AblatedCase ablated_;
  std::map<std::string, std::vector<bool>> orders_;
  Ablation ablation_;
  std::vector<double> quiet_waits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The waits that the policy may accept as quiet on this kind of machine. A fixed figure would not fit every machine.
std::optional<QuietWaits> quiet_waits_of(const std::vector<double>& waits) {
  constexpr auto fewest = static_cast<std::size_t>(default_ablation_pairs);  // the pairs of one whole mode
  if (waits.size() < fewest) return std::nullopt;
  return QuietWaits{.processes = std::ssize(waits), .median = median(waits), .high = quantile(waits, 0.99)};
}

}  // namespace

AblationResult run_ablation(const Project& project, const AblationOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  const ManifestCase entry = case_to_ablate(project.manifest, options.case_name);
  refuse_unbuilt(project.manifest, {entry});
  HostOptions plain = options.host;
  plain.mode = GuardMode::process;  // single knobs are set pair by pair
  QuietHost host(plain, {"ablate", {entry}, options.measure.threads.value_or(1)}, caller);

  AblationRounds rounds(project, options, caller, {entry, read_policy(project, entry.suite), host});
  AblationResult result{.ablation = rounds.run(),
                        .file = project.out / "ablate" / entry.name / "ablation.json",
                        .quiet_waits = quiet_waits_of(rounds.quiet_waits())};
  decide_ablation({}, result.ablation);
  write_file_atomically(result.file, to_text(result.ablation));
  return result;
}

}  // namespace stepgate
