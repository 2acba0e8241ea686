// Gate runs for the tests of the reports: one outcome of every status, and hostile names.
#pragma once

#include "core/verdict/run_report.h"

namespace stepgate {

inline MetricVerdict metric_verdict(const std::string& metric, Status status, double baseline, double current) {
  MetricVerdict verdict;
  verdict.metric = metric;
  verdict.status = status;
  verdict.baseline = baseline;
  verdict.current = current;
  if (baseline != 0) verdict.change = current / baseline - 1;
  return verdict;
}

inline MetricVerdict timed_verdict(const std::string& metric, Status status, double baseline, double current) {
  MetricVerdict verdict = metric_verdict(metric, status, baseline, current);
  verdict.interval = Interval{*verdict.change - 0.0132, *verdict.change + 0.0127};
  verdict.limit = "+1.0 %";
  verdict.detectable_change = 0.026;
  return verdict;
}

inline MetricVerdict explanatory(MetricVerdict verdict) {
  verdict.gating = false;
  verdict.status = Status::not_judged;
  verdict.reason = ReasonCode::not_tested;
  return verdict;
}

inline Outcome regressed_exact() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::exact};
  outcome.verdict = {.case_name = "language/char_lm/tiny",
                     .status = Status::regressed,
                     .reason = VerdictReason::named("not-equal"),
                     .detail = "2 exact metrics and the peak rose",
                     .metrics = {metric_verdict("operators_per_step", Status::regressed, 2154, 2155),
                                 metric_verdict("allocations_per_step", Status::regressed, 412, 413),
                                 metric_verdict("peak_allocated_bytes", Status::regressed, 1310720, 1310724),
                                 metric_verdict("loss", Status::pass, 4.1743, 4.1743),
                                 metric_verdict("host_syncs_per_step", Status::pass, 0, 0),
                                 metric_verdict("h2d_copies_per_step", Status::pass, 2, 2),
                                 metric_verdict("leak_bytes_per_step", Status::pass, 0, 0)}};
  for (MetricVerdict& metric : outcome.verdict.metrics) metric.limit = "+0";
  outcome.findings = {
      {FindingCode::copy_added,
       Severity::cause,
       "forward: +1 aten::contiguous per step, in every counted step; with it allocations +1, peak allocated +4 B",
       "a tensor is copied: look for .contiguous(), .clone(), .to() or a view that became a copy; a "
       "layout that the next operator takes as it is avoids it.",
       "operators_per_step",
       "forward",
       {"allocations_per_step", "peak_allocated_bytes"}},
      {FindingCode::operator_removed, Severity::note, "backward: -1 aten::view per step", "", ""}};
  outcome.reproduce_command = "stepgate gate --group exact language/char_lm/tiny --seed 20260101 --build build/release";
  outcome.accept_command =
      "stepgate baseline accept --reason \"...\" stepgate-out/pending/portable/language/char_lm/tiny.json";
  outcome.pending_path = "stepgate-out/pending/portable/language/char_lm/tiny.json";
  outcome.baseline_path = "baselines/portable/language/char_lm/tiny.json";
  outcome.baseline_summary = "9f2c1ab, 12 days old, portable";
  outcome.baseline_commit = "9f2c1ab";
  outcome.baseline_age_s = 12 * 86400;
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    outcome.backgrounds.push_back({metric.metric, metric.scope, {}, {*metric.current}, outcome.baseline_path, 31});
  }
  outcome.fingerprint = {{"isa", "AVX2"}, {"threads", "1"}, {"torch", "2.11.0"}};
  outcome.seconds = 8.25;
  return outcome;
}

inline Outcome regressed_timed() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  outcome.verdict = {.case_name = "vision/resnet/small_batch",
                     .status = Status::regressed,
                     .reason = ReasonCode::above_limit,
                     .detail = "step time +30.1 %, confirmed side by side with the base build",
                     .metrics = {timed_verdict("step_time_ns", Status::regressed, 14.3e6, 18.6e6),
                                 timed_verdict("first_step_ns", Status::pass, 2.05e9, 2.06e9),
                                 explanatory(timed_verdict("forward_ns", Status::regressed, 5.1e6, 9.2e6)),
                                 explanatory(timed_verdict("samples_per_s", Status::regressed, 4480, 3440)),
                                 explanatory(metric_verdict("effective_tokens_per_s", Status::pass, 88200, 67700)),
                                 explanatory(metric_verdict("padded_tokens_per_s", Status::pass, 110000, 84600)),
                                 explanatory(metric_verdict("padding_ratio", Status::pass, 0.2, 0.2))}};
  outcome.findings = {{FindingCode::boundary_slower, Severity::cause, "forward +4.10 ms of the step's +4.30 ms (95 %)",
                       "model or loss do more work; compare the exact half of the gate for operators.", "step_time_ns"},
                      {FindingCode::tainted, Severity::warning,
                       "1 replicate was discarded by outside interference and left out; 7 clean timed ones remain",
                       "see what else ran on this machine (stepgate doctor).", ""}};
  outcome.reproduce_command = "stepgate ab --base-build /build/base --head-build /build/head vision/resnet/small_batch";
  outcome.accept_command =
      "stepgate baseline accept --replace --reason \"...\" out/pending/h200-16c/vision/resnet.json";
  outcome.baseline_summary = "9f2c1ab, 12 days old, 5 sessions";
  outcome.baseline_commit = "9f2c1ab";
  outcome.baseline_age_s = 12 * 86400;
  const std::string file = "baselines/h200-16c/vision/resnet/small_batch.json";
  outcome.backgrounds = {
      {"step_time_ns", Scope::runner, {14.2e6, 14.3e6, 14.5e6, 14.3e6, 14.1e6}, {18.5e6, 18.6e6, 18.7e6}, file, 57},
      {"forward_ns", Scope::runner, {5.0e6, 5.1e6}, {9.1e6, 9.2e6}, file, 44}};
  outcome.seconds = 95.5;
  return outcome;
}

inline Outcome failed_case() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  outcome.verdict = {.case_name = "language/transformer/padded",
                     .status = Status::failed,
                     .reason = VerdictReason::named("crashed"),
                     .detail = "3 of 5 replicates failed",
                     .metrics = {}};
  outcome.failures = {{FailureKind::crashed, "killed by signal 11 (segmentation fault) after 2.1 s",
                       "loading shard 0\nloading shard 1\n\x1b[31mterminate called\x1b[0m\n"}};
  outcome.reproduce_command = "stepgate run language/transformer/padded";
  return outcome;
}

inline Outcome inconclusive_case() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  MetricVerdict step = timed_verdict("step_time_ns", Status::inconclusive, 14.3e6, 14.9e6);
  step.interval = Interval{-0.021, 0.107};
  step.reason = ReasonCode::interval_too_wide;
  step.detail = "the interval reaches beyond the matter margin (+5.0 %)";
  step.more_replicates = 6;
  outcome.verdict = {.case_name = "vision/lenet/tiny",
                     .status = Status::inconclusive,
                     .reason = ReasonCode::interval_too_wide,
                     .detail = "step time is too noisy for a verdict",
                     .metrics = {step}};
  outcome.findings = {{FindingCode::spread, Severity::cause,
                       "step time: 5 replicates lie 14 % apart (13.9 ms to 16.0 ms); this plan could detect +7.1 %",
                       "about 6 more replicates or sessions would decide it; a quieter machine needs fewer.",
                       "step_time_ns"}};
  outcome.reproduce_command = "stepgate gate --group timed --replicates 11 vision/lenet/tiny";
  return outcome;
}

inline Outcome no_baseline_case() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  MetricVerdict step;
  step.metric = "step_time_ns";
  step.current = 3.25e6;
  MetricVerdict first = step;
  first.metric = "first_step_ns";
  first.current = 41e6;
  outcome.verdict = {.case_name = "vision/mlp/wide",
                     .status = Status::no_baseline,
                     .reason = VerdictReason::named("missing"),
                     .detail = "baselines/h200-16c/vision/mlp/wide.json does not exist",
                     .metrics = {step, first}};
  outcome.accept_command = "stepgate baseline accept --reason \"first\" out/pending/h200-16c/vision/mlp/wide.json";
  return outcome;
}

inline Outcome improved_case() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::exact};
  outcome.verdict = {.case_name = "vision/mlp/narrow",
                     .status = Status::improved,
                     .reason = ReasonCode::below_baseline,
                     .detail = "host syncs fell",
                     .metrics = {metric_verdict("host_syncs_per_step", Status::improved, 2, 0),
                                 metric_verdict("operators_per_step", Status::pass, 96, 96)}};
  outcome.findings = {
      {FindingCode::operator_removed, Severity::note, "logging: -2 aten::_local_scalar_dense per step", "", ""}};
  outcome.accept_command = "stepgate baseline accept --reason \"...\" out/pending/portable/vision/mlp/narrow.json";
  return outcome;
}

inline Outcome passing_timed() {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  outcome.verdict = {.case_name = "tabular/linear/dense",
                     .status = Status::pass,
                     .reason = ReasonCode::within_limit,
                     .detail = "",
                     .metrics = {timed_verdict("step_time_ns", Status::pass, 812e3, 815e3),
                                 explanatory(timed_verdict("samples_per_s", Status::pass, 78800, 78500))}};
  outcome.seconds = 30;
  return outcome;
}

inline Outcome passing_exact() {
  Outcome outcome = passing_timed();
  outcome.kind = {.half = TierChoice::exact};
  outcome.verdict.metrics = {metric_verdict("operators_per_step", Status::pass, 31, 31),
                             metric_verdict("peak_allocated_bytes", Status::pass, 4096, 4096),
                             metric_verdict("loss", Status::pass, 0.51, 0.51)};
  return outcome;
}

inline Outcome skipped_case() {
  Outcome outcome;
  outcome.verdict = {.case_name = "vision/resnet/cuda",
                     .status = Status::skipped,
                     .reason = VerdictReason::named("no-device"),
                     .detail = "no CUDA device here",
                     .metrics = {}};
  return outcome;
}

/// A case that passes and has a metric that its baseline does not have yet.
inline Outcome passing_with_new_metric() {
  Outcome outcome = passing_exact();
  MetricVerdict syncs;
  syncs.metric = "host_syncs_per_step";
  syncs.status = Status::not_judged;
  syncs.reason = ReasonCode::new_metric;
  syncs.detail = "the baseline is older than this metric";
  syncs.current = 2;
  outcome.verdict.case_name = "tabular/linear/sparse";
  outcome.verdict.metrics.insert(outcome.verdict.metrics.begin(), syncs);
  outcome.accept_command = "stepgate baseline accept tabular/linear/sparse --reason \"...\"";
  return outcome;
}

/// A long name, markup, control characters, a direction override and malformed UTF-8 in every text of a report.
inline Outcome hostile_case() {
  const std::string hostile = "<b>&\"'\x1b[2J\x01\xe2\x80\xae\xff\xc3\xa9";
  Outcome outcome = regressed_exact();
  outcome.verdict.case_name = "suite/" + std::string(90, 'x') + hostile;
  outcome.verdict.detail = hostile;
  outcome.verdict.metrics.front().metric = "a_custom_metric_with_a_name_that_is_much_too_long_for_any_table" + hostile;
  outcome.verdict.metrics.front().limit = "rtol 1e-4 + atol 1e-6 and then some more of it";
  outcome.findings = {{FindingCode::unexplained, Severity::cause, hostile, hostile, ""}};
  outcome.failures = {{FailureKind::bad_record, hostile, hostile + "\n" + hostile}};
  outcome.reproduce_command = hostile;
  return outcome;
}

/// Everything that Markdown, HTML, GitHub's runner and its mentions would interpret, in every text of a report.
inline const std::string& hostile_markup() {
  static const std::string text =
      "a|b\\|c `x` ``` *b* _i_ ~~s~~ <script>alert(1)</script> <!-- --> &amp; [l](http://e.example) "
      "![i](//e.example/x) "
      "@octocat #17 $x$ https://e.example www.e.example e@e.example ::error::x\n::add-mask::y\r\n##[error]z\n# h\n- l\n"
      "```\n</details></code></td>|\n\x1b[31mred\x07";
  return text;
}

/// `hostile` in every text of a case.
inline Outcome hostile_case_of(const std::string& hostile) {
  Outcome outcome = regressed_timed();
  outcome.verdict.case_name = hostile;
  outcome.verdict.detail = hostile;
  outcome.verdict.metrics.front().detail = hostile;
  outcome.verdict.metrics.front().limit = hostile;
  outcome.verdict.metrics[1].metric = hostile;
  outcome.findings = {{AnyFindingCode::named(hostile), Severity::cause, hostile, hostile, ""}};
  outcome.findings.front().sources = {{hostile + "()", "perf/" + hostile, 7}, {hostile, hostile, 7}};
  outcome.failures = {{FailureKind::crashed, hostile, hostile}};
  outcome.reproduce_command = hostile;
  outcome.accept_command = hostile;
  outcome.baseline_path = hostile;
  outcome.baseline_summary = hostile;
  outcome.baseline_commit = hostile;
  outcome.fingerprint = {{hostile, hostile}};
  outcome.backgrounds.front().baseline_path = "baselines/" + hostile;
  return outcome;
}

inline Outcome hostile_markup_case() { return hostile_case_of(hostile_markup()); }

inline RunReport report_of(std::vector<Outcome> outcomes) {
  RunReport report;
  report.utc = "2026-11-21T10:00:00Z";
  report.commit = "4b1d9e7";
  report.runner_class = "h200-16c";
  report.stepgate_version = "0.1.0";
  for (const Outcome& outcome : outcomes) report.expected_cases.push_back(outcome.verdict.case_name);
  report.outcomes = std::move(outcomes);
  return report;
}

/// One outcome of every status, worst first, and a case that was never measured.
inline RunReport every_status() {
  RunReport report = report_of({failed_case(), regressed_exact(), regressed_timed(), inconclusive_case(),
                                no_baseline_case(), improved_case(), passing_exact(), passing_timed(), skipped_case()});
  report.expected_cases.push_back("vision/vit/tiny");
  report.missing_cases = {"vision/vit/tiny"};
  return report;
}

}  // namespace stepgate
