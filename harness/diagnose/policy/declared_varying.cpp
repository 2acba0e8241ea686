#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/record/loss_sequences.h"
#include "core/verdict/losses/rounded_traces.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

template <typename Values>
bool agree(const std::vector<Values>& processes) {
  return processes.size() > 1 &&
         std::all_of(processes.begin(), processes.end(), [&](const Values& each) { return each == processes.front(); });
}

/// True where two processes or more measured the metric and all agree.
bool is_constant(const CaseValues& values, const std::string& metric) {
  if (const auto exact = values.exact.find(metric); exact != values.exact.end()) return agree(exact->second);
  if (const auto bytes = values.bytes.find(metric); bytes != values.bytes.end()) return agree(bytes->second);
  std::vector<std::vector<double>> traces;
  for (const NumericTrace& trace : values.numerics) {
    if (const auto* steps = numeric_sequence(trace, metric)) traces.push_back(*steps);
  }
  return agree(traces);
}

std::string joined_labels(const std::vector<std::string>& metrics) {
  std::string text;
  for (const std::string& metric : metrics) text += (text.empty() ? "" : ", ") + label_of(metric);
  return text;
}

Finding finding_on(const std::vector<std::string>& metrics, Finding finding) {
  finding.metric = metrics.front();
  finding.also.assign(metrics.begin() + 1, metrics.end());
  return finding;
}

/// Entries that name this case and one further loss by its own name, where no process reports such a loss: with a
/// misspelt name the loss would still be judged, and nobody would be told.
std::vector<Finding> unmeasured_losses(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (!input.judge_exact || input.current.numerics.empty()) return findings;
  const std::vector<std::string> measured = numeric_metrics(input.current.numerics.front());
  for (const VaryingMetrics& entry : input.policy.varying) {
    if (!matches_pattern(entry.cases, input.current.case_name)) continue;
    for (const std::string& metric : entry.metrics) {
      const bool one_loss = !member_name(metric).empty() && member_name(metric) != "*";
      if (!one_loss || std::find(measured.begin(), measured.end(), metric) != measured.end()) continue;
      findings.push_back(
          {.code = FindingCode::varying_unmeasured,
           .severity = Severity::warning,
           .message =
               fmt::format("\"{}\" is declared varying by the policy, but the case reports no such loss", metric),
           .advice = fmt::format("correct the name in \"varying\" of the suite's policy; the case reports {}.",
                                 fmt::join(measured, ", ")),
           .metric = ""});
    }
  }
  return findings;
}

/// Of all that was compared.
std::set<std::string> operators_of(const JudgedComparison& input) {
  std::set<std::string> operators = nondeterministic_operators(input.current.numerics);
  if (const CaseValues* base = interleaved_base(input)) operators.merge(nondeterministic_operators(base->numerics));
  if (input.exact && input.exact->numerics) operators.merge(nondeterministic_operators({*input.exact->numerics}));
  return operators;
}

Finding varied_by_operators(const JudgedComparison& input, const std::vector<std::string>& metrics) {
  const bool has_base = interleaved_base(input) != nullptr;
  return finding_on(
      metrics,
      {.code = FindingCode::varying,
       .severity = Severity::warning,
       .message = fmt::format(
           "{}: LibTorch has no deterministic implementation of {}, so processes of the same code "
           "differ, {}",
           joined_labels(metrics), fmt::join(operators_of(input), ", "),
           has_base ? "and the ranges of both builds overlap: no change shown, none excluded" : "judged in A/B only"),
       .advice = has_base ? "replace the operator by one that LibTorch can run deterministically, then losses are "
                            "compared step by step."
                          : "stepgate ab judges them by the ranges of both builds.",
       .metric = ""});
}

}  // namespace

std::vector<Finding> explain_declared_varying(const JudgedComparison& input) {
  std::vector<std::string> undecided;
  std::vector<std::string> by_operators;
  std::vector<std::string> constant;
  const auto declared = varying_metrics(input.policy.varying, input.current.case_name);
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.reason != ReasonCode::varying || !verdict.gating) continue;
    if (!varies(declared, verdict.metric)) {
      by_operators.push_back(verdict.metric);
      continue;
    }
    undecided.push_back(verdict.metric);
    if (is_constant(input.current, verdict.metric)) constant.push_back(verdict.metric);
  }
  std::vector<Finding> findings;
  if (!by_operators.empty()) findings.push_back(varied_by_operators(input, by_operators));
  if (!undecided.empty()) {
    const std::string reason = reason_to_vary(input.policy.varying, input.current.case_name, undecided.front());
    findings.push_back(finding_on(
        undecided,
        {.code = FindingCode::varying,
         .severity = Severity::warning,
         .message = fmt::format("{}: declared varying by the policy ({}), {}", joined_labels(undecided), reason,
                                interleaved_base(input) != nullptr
                                    ? "and the ranges of both builds overlap: no change shown, none excluded"
                                    : "judged in A/B only"),
         .advice = interleaved_base(input) != nullptr ? "" : "stepgate ab judges them by the ranges of both builds.",
         .metric = ""}));
  }
  if (!constant.empty()) {
    findings.push_back(finding_on(
        constant, {.code = FindingCode::does_not_vary,
                   .severity = Severity::warning,
                   .message = fmt::format("{}: declared varying by the policy, but equal in all processes",
                                          joined_labels(constant)),
                   .advice = "take it out of \"varying\" of the suite's policy: then it is judged exactly again.",
                   .metric = ""}));
  }
  for (Finding& finding : unmeasured_losses(input)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace stepgate
