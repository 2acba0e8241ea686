#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/publish.h"
#include "cli/show.h"
#include "core/metric.h"
#include "experiment/ab_run.h"
#include "experiment/bytes_confirmation.h"
#include "experiment/measuring.h"
#include "experiment/pipeline.h"
#include "experiment/quiet_host.h"
#include "experiment/result_files.h"
#include "experiment/selection.h"
#include "judge/reduce/case_values.h"

namespace stepgate {

namespace {

/// Whether interleaved pairs could still change what stored sessions gave: everything timed that is not green. They may
/// pass or escalate, but never fail a case where a base build is at hand (docs/design/verdicts.md, "Confirmation by
/// pairs").
bool wants_confirmation(const Outcome& outcome) {
  if (outcome.verdict.status == Status::failed) return false;  // a crash is not forgotten over clean pairs
  return std::any_of(outcome.verdict.metrics.begin(), outcome.verdict.metrics.end(), [](const MetricVerdict& verdict) {
    const Metric* metric = find_metric(verdict.metric);
    const bool timed = metric != nullptr && metric->tier == Tier::timed;
    const bool green =
        verdict.status == Status::pass || verdict.status == Status::improved || verdict.status == Status::not_judged;
    return timed && verdict.gating && !green && verdict.reason != "waived" && verdict.reason != "over-budget";
  });
}

/// The half that was asked for; where none was, the one that was measured.
std::string tier_to_judge(const Options& options, const Measurement& measurement) {
  const auto has = [&](Group group) {
    return std::any_of(measurement.replicates.begin(), measurement.replicates.end(),
                       [&](const Replicate& replicate) { return replicate.group == group; });
  };
  if (options.tier != "all" || has(Group::exact) == has(Group::timed)) return options.tier;
  return has(Group::exact) ? "exact" : "timed";
}

/// Red bytes are looked at once more, on more processes; nothing that was measured is dropped.
struct Screen {
  Measurement measurement;
  Outcome outcome;
};
Screen screen(const Context& context, const ManifestCase& entry, Measurement measured, const std::atomic<int>& signal) {
  // Judged without a trace first: what is pending or reported must rest on all that was measured.
  const CaseVerdict first = judge_against(context, entry, case_values(measured), stored_side(context, entry));
  const std::int64_t more = processes_to_confirm(first, measured);
  if (more > 0) measured = with_more_processes({context, entry, measured, more}, signal);
  Outcome outcome = judge_and_explain(context, entry, measured);
  return {std::move(measured), std::move(outcome)};
}

/// `check` measures nothing more.
void say_unconfirmed(const CaseVerdict& verdict, const Measurement& measurement) {
  if (processes_to_confirm(verdict, measurement) == 0) return;
  fmt::print(
      stderr,
      "stepgate: {}: red in bytes on {} processes, which may agree by chance\n  next: stepgate gate {} --tier exact\n",
      verdict.case_name, exact_processes(measurement), verdict.case_name);
}

/// The gate of one case, confirmed against a base build where one is given and the screen is not green.
Outcome gated(const Context& context, std::optional<AbRun>& run, const ManifestCase& entry, Screen screen) {
  Outcome& screened = screen.outcome;
  const Measurement& measurement = screen.measurement;
  if (!run || !wants(context, entry, "timed") || !wants_confirmation(screened)) return std::move(screened);
  if (is_new_case(run->base, entry)) return std::move(screened);
  const auto done = run_ab_case(*run, entry);
  return done ? judge_confirmed(context, done->ab, done->measured, measurement) : std::move(screened);
}

std::optional<AbRun> base_run(const Context& context, const std::atomic<int>& signal) {
  if (context.options.base_build.empty()) return std::nullopt;
  return AbRun{context, base_context(context), signal, /*decides_bytes=*/false};
}

}  // namespace

int command_gate(const Options& options) {
  Context context = read_context(options);
  refuse_debug_build(context.manifest);
  const auto cases = cases_to_measure(context);
  const std::atomic<int>& signal = watch_for_interrupts();
  const QuietHost quiet(context, cases);
  std::optional<AbRun> run = base_run(context, signal);
  std::vector<Outcome> outcomes;
  const int interrupted = measure_cases(context, cases, [&](const ManifestCase& entry, const Measurement& measurement) {
    Outcome outcome = gated(context, run, entry, screen(context, entry, measurement, signal));
    if (signal.load() != 0) return;  // half confirmed is no verdict; the pairs are kept
    write_report(result_folder(context, entry.name), report_of(context, {outcome}));
    outcomes.push_back(std::move(outcome));
  });
  if (interrupted != 0) return interrupted;
  if (signal.load() != 0) return 128 + signal.load();
  const RunReport report = report_of(context, std::move(outcomes));
  show(context, report);
  publish(context, report);
  return status_for_caller(options, report);
}

int command_check(const Options& options) {
  Context context = read_context(options);
  std::vector<Outcome> outcomes;
  const std::vector<Measurement> measurements = read_measurements(context);
  std::set<std::string> commits;
  for (const Measurement& measurement : measurements) commits.insert(measurement.commit);
  context.commit = one_commit(commits);
  for (const Measurement& measurement : measurements) {
    const ManifestCase entry = select_cases(context.manifest, {measurement.case_name}, {}).front();
    context.options.tier = tier_to_judge(options, measurement);
    Outcome outcome = judge_and_explain(context, entry, measurement);
    say_unconfirmed(outcome.verdict, measurement);
    write_report(result_folder(context, entry.name), report_of(context, {outcome}));
    outcomes.push_back(std::move(outcome));
  }
  const RunReport report = report_of(context, std::move(outcomes));
  show(context, report);
  publish(context, report);
  return status_for_caller(options, report);
}

int command_run(const Options& options) {
  Context context = read_context(options);
  refuse_debug_build(context.manifest);
  const auto cases = cases_to_measure(context);
  static_cast<void>(watch_for_interrupts());  // before the host is changed: a signal must find its way back
  const QuietHost quiet(context, cases);
  bool failed = false;
  const int interrupted = measure_cases(context, cases, [&](const ManifestCase& entry, const Measurement& measurement) {
    const std::string file = (result_folder(context, entry.name) / "measurement.json").string();
    fmt::print("{}: {} replicates -> {}\n", entry.name, measurement.replicates.size(), file);
    for (const Replicate& replicate : measurement.replicates) {
      if (!replicate.failure) continue;
      failed = true;
      fmt::print("  failed: {}\n", replicate.failure->message);
    }
  });
  if (interrupted != 0) return interrupted;
  return failed ? 3 : 0;
}

}  // namespace stepgate
