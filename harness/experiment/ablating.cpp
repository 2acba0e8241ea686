#include "experiment/ablating.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "cli/progress.h"
#include "core/error.h"
#include "core/host/process_knob.h"
#include "environment/process/process_knobs.h"
#include "experiment/ab_case.h"
#include "experiment/pipeline.h"
#include "launch/pair_order.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

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
std::string words_of(const ReplicateFailure& failure) {
  std::string said = failure.output_tail;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? failure.message : fmt::format("{}: {}", failure.message, said);
}

/// All pairs of one run.
class AblationRun {
 public:
  AblationRun(Context& context, const ManifestCase& entry, QuietHost& host, const std::atomic<int>& interrupted)
      : context_(context), entry_(entry), host_(host), interrupted_(interrupted) {
    Ablation& whole = measured_.ablation;
    whole.case_name = entry.name;
    whole.runner_class = context.options.runner_class;
    whole.utc = context.start.utc;
    whole.commit = context.commit;
    whole.seed = order_seed(context);
    whole.pairs = context.options.pairs.value_or(default_ablation_pairs);
    for (const KnobReport& knob : knobs_to_measure()) whole.knobs.push_back({.knob = knob});
    for (const AblatedKnob& knob : whole.knobs) {
      orders_[knob.knob.name] = head_first_orders(whole.seed, entry.name + " " + knob.knob.name, whole.pairs);
    }
  }

  AblationMeasured run() {
    Ablation& whole = measured_.ablation;
    for (std::int64_t round = 0; round < whole.pairs && !whole.interrupted; ++round) {
      for (AblatedKnob& knob : whole.knobs) {
        if (knob.failure.empty()) measure_pair(round, knob);
        if (interrupted_.load() != 0) {
          whole.interrupted = true;
          break;
        }
      }
    }
    set("", false);
    clear_progress_line(context_.options);
    whole.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return std::move(measured_);
  }

 private:
  std::vector<KnobReport> knobs_to_measure() const {
    std::vector<KnobReport> knobs;
    const auto add = [&](std::string_view name, GuardMode mode, const std::string& wanted) {
      knobs.push_back({.name = std::string(name), .mode = mode, .state = KnobState::achieved, .wanted = wanted});
    };
    add(whole_process_mode, GuardMode::process, "all knobs of a process");
    const bool has_nodes = !memory_nodes_of("/", cpus_for(context_, {entry_}).measured).empty();
    for (const ProcessKnobRow& row : process_knob_rows) {
      if (row.ablated && (row.knob != ProcessKnob::memory_policy || has_nodes)) add(row.name, row.mode, "");
    }
    add(malloc_knob, GuardMode::process, "tuned");
    if (context_.options.guard == "host") {
      add(whole_host_mode, GuardMode::host, "all knobs of the host");
      for (KnobReport& knob : host_.host_knobs(context_, {entry_})) {
        // A GPU's clock is available only with an option that names it.
        if (knob.state == KnobState::available && knob.remedy.empty()) knobs.push_back(std::move(knob));
      }
    }
    keep_only(listed(context_.options.knobs), knobs);
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
    const auto second = interrupted_.load() == 0 ? measure_side(round, knob, !with_first) : std::nullopt;
    if (!knob.failure.empty() || interrupted_.load() != 0) return;
    if (!first || !second) {
      ++knob.tainted_pairs;
      return;
    }
    knob.pairs.push_back({with_first ? *first : *second, with_first ? *second : *first, with_first});
  }

  /// Absent where interference discarded it, or where it failed: `knob.failure` says so then.
  std::optional<AblationSide> measure_side(std::int64_t round, AblatedKnob& knob, bool with) {
    set(knob.knob.name, with);
    LaunchRequest request = request_for(context_, entry_);
    request.groups = {Group::timed};
    request.plan.timed_replicates = 1;
    if (knob.knob.name == malloc_knob) request.plan.malloc_policy = with ? "tuned" : "system";
    request.out_dir = context_.options.out / "ablate" / entry_.name /
                      fmt::format("{}/{:03}-{}", knob.knob.name, round, with ? "with" : "without");
    const Measurement done = measure_case(request, {progress_line(context_.options), &interrupted_});
    if (measured_.ablation.host.empty()) measured_.ablation.host = done.host;
    if (done.replicates.empty()) return std::nullopt;
    const Replicate& replicate = done.replicates.back();
    if (with) note_knob(replicate, knob);
    if (replicate.failure) {
      if (replicate.failure->kind != FailureKind::interrupted) knob.failure = words_of(*replicate.failure);
      return std::nullopt;
    }
    if (with && (knob.knob.name == whole_process_mode || knob.knob.name == whole_host_mode)) note_wait(replicate);
    return replicate.taint_reasons.empty() && replicate.record ? side_of(*replicate.record) : std::nullopt;
  }

  /// As it was on the side with it: a knob that is denied has no effect to be measured.
  void note_knob(const Replicate& replicate, AblatedKnob& knob) const {
    const auto find_in = [&](const std::vector<KnobReport>& reports) {
      const auto found = std::find_if(reports.begin(), reports.end(),
                                      [&](const KnobReport& one) { return one.name == knob.knob.name; });
      if (found != reports.end()) knob.knob = *found;
    };
    find_in(replicate.knobs);
    find_in(context_.guard.host_knobs);
  }

  /// Of a process that nothing but its wait speaks against.
  void note_wait(const Replicate& replicate) {
    constexpr EvidenceKey key = EvidenceKey::runqueue_wait_fraction;
    const bool disturbed = std::any_of(replicate.taint_reasons.begin(), replicate.taint_reasons.end(),
                                       [](const std::string& reason) { return !reason.starts_with(name_of(key)); });
    const auto wait = replicate.evidence.values.find(key);
    if (!disturbed && wait != replicate.evidence.values.end()) measured_.quiet_waits.push_back(wait->second);
  }

  /// The guard of the next process: mode process, and of the knob in question what this side has of it.
  void set(const std::string& name, bool with) {
    const bool is_process_knob =
        std::find(process_knob_names.begin(), process_knob_names.end(), name) != process_knob_names.end();
    if (context_.guard.mode == GuardMode::host) host_.release(context_);
    context_.guard.mode = name == whole_process_mode && !with ? GuardMode::observe : GuardMode::process;
    context_.guard.off.clear();
    if (is_process_knob && !with) context_.guard.off.insert(name);
    if (!with || is_process_knob || name.empty() || name == whole_process_mode || name == malloc_knob) return;
    host_.engage(context_, {entry_}, name == whole_host_mode ? std::vector<std::string>{} : std::vector{name});
  }

  Context& context_;
  const ManifestCase& entry_;
  QuietHost& host_;
  const std::atomic<int>& interrupted_;
  std::map<std::string, std::vector<bool>> orders_;
  AblationMeasured measured_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

AblationMeasured measure_ablation(Context& context, const ManifestCase& entry, QuietHost& host,
                                  const std::atomic<int>& interrupted) {
  return AblationRun(context, entry, host, interrupted).run();
}

}  // namespace stepgate
