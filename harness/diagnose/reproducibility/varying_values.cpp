#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "core/metric.h"
#include "core/record/loss_sequences.h"
#include "core/text/number_format.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "core/verdict/losses/rounded_traces.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/reproducibility/varying_source.h"

namespace stepgate {
namespace {

/// One metric whose values differ between two processes.
struct Variation {
  std::string metric;
  std::string values;  ///< "412 and 415 in step 0": the first difference
  std::size_t first = 0;
  std::size_t other = 0;                 ///< the two processes, as indices
  std::optional<std::size_t> step = {};  ///< absent for a value of the whole process
};

/// The first process that differs from process 0.
template <typename Values>
std::optional<std::size_t> other_than_first(const std::vector<Values>& processes) {
  for (std::size_t i = 1; i < processes.size(); ++i) {
    if (processes[i] != processes.front()) return i;
  }
  return std::nullopt;
}

template <typename Value>
std::size_t first_difference(const std::vector<Value>& a, const std::vector<Value>& b) {
  const auto at =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  return static_cast<std::size_t>(at.first - a.begin());
}

std::string at_step(const std::vector<std::int64_t>& steps, std::size_t step) {
  return step < steps.size() ? std::to_string(steps[step]) : "none";
}

bool is_judged(const JudgedComparison& input, const std::string& name) {
  const Metric* metric = find_metric(name);
  const bool shown_only = metric != nullptr && metric->reference == Reference::nothing;
  return !shown_only && !varies(varying_metrics(input.policy.varying, input.current.case_name), name);
}

std::vector<Variation> varying_counts(const JudgedComparison& input) {
  std::vector<Variation> found;
  for (const auto& [metric, processes] : input.current.exact) {
    const auto other = other_than_first(processes);
    if (!other || !is_judged(input, metric)) continue;
    const std::size_t step = first_difference(processes.front(), processes[*other]);
    const std::string values =
        fmt::format("{} and {}", at_step(processes.front(), step), at_step(processes[*other], step));
    found.push_back({.metric = metric, .values = values, .other = *other, .step = step});
  }
  return found;
}

std::vector<Variation> varying_bytes(const JudgedComparison& input) {
  std::vector<Variation> found;
  for (const auto& [metric, processes] : input.current.bytes) {
    const auto other = other_than_first(processes);
    const Metric* known = find_metric(metric);
    if (!other || !is_judged(input, metric) || known == nullptr || !known->gates) continue;
    const auto [low, high] = std::minmax_element(processes.begin(), processes.end());
    found.push_back({.metric = metric, .values = fmt::format("{} to {} B", *low, *high), .other = *other});
  }
  return found;
}

std::optional<Variation> varying_trajectory(const JudgedComparison& input, const std::string& metric) {
  std::vector<std::vector<double>> processes;
  for (const NumericTrace& trace : input.current.numerics) {
    const auto* values = numeric_sequence(trace, metric);
    processes.push_back(values == nullptr ? std::vector<double>{} : *values);
  }
  const auto other = processes.empty() ? std::nullopt : other_than_first(processes);
  if (!other) return std::nullopt;
  const auto& a = processes.front();
  const auto& b = processes[*other];
  const std::size_t step = first_difference(a, b);
  if (step >= std::min(a.size(), b.size())) return std::nullopt;  // another number of steps, not other values
  if (std::isnan(a[step]) && std::isnan(b[step])) return std::nullopt;
  return Variation{
      .metric = metric, .values = fmt::format("{:.9g} and {:.9g}", a[step], b[step]), .other = *other, .step = step};
}

/// The losses and then the gradient norm, as far as they vary, also those that the policy declares.
std::vector<Variation> varying_trajectories(const JudgedComparison& input) {
  std::vector<Variation> found;
  if (input.current.numerics.empty()) return found;
  for (const std::string& metric : numeric_metrics(input.current.numerics.front())) {
    if (auto variation = varying_trajectory(input, metric)) found.push_back(std::move(*variation));
  }
  return found;
}

/// The number of that process: that of its replicate, or its place in their order where two of them have one number.
/// Processes that alternate with a base build are measured one by one, and each is then replicate 0 of its folder.
std::int64_t number_of(const CaseValues& values, std::size_t process) {
  std::set<std::int64_t> replicates;
  for (const ExactProcess& exact : values.exact_processes) replicates.insert(exact.replicate);
  const bool known = process < values.exact_processes.size() && replicates.size() == values.exact_processes.size();
  return known ? values.exact_processes[process].replicate : static_cast<std::int64_t>(process);
}

/// "operators from step 3 on (412 and 415), ..."
std::string list_of(const std::vector<Variation>& variations) {
  std::string text;
  for (const Variation& each : variations) {
    text += fmt::format("{}{}{} ({})", text.empty() ? "" : ", ", label_of(each.metric),
                        each.step ? fmt::format(" from step {} on", *each.step) : "", each.values);
  }
  return text;
}

/// The boundaries whose totals differ between the two processes of a variation.
std::set<std::string> boundaries_of(const CaseValues& values, const std::vector<Variation>& variations) {
  std::set<std::string> found;
  const auto add = [&](const std::map<std::string, std::int64_t>& a, const std::map<std::string, std::int64_t>& b) {
    for (const auto* side : {&a, &b}) {
      for (const auto& [boundary, total] : *side) {
        const auto x = a.find(boundary);
        const auto y = b.find(boundary);
        if (x == a.end() || y == b.end() || x->second != y->second) found.insert(boundary);
      }
    }
  };
  for (const Variation& each : variations) {
    if (each.other >= values.exact_processes.size()) continue;
    const ExactProcess& a = values.exact_processes[each.first];
    const ExactProcess& b = values.exact_processes[each.other];
    const auto x = a.by_boundary.find(each.metric);
    const auto y = b.by_boundary.find(each.metric);
    if (x != a.by_boundary.end() && y != b.by_boundary.end()) add(x->second, y->second);
    if (each.metric == "peak_allocated_bytes") add(a.peak_by_boundary, b.peak_by_boundary);
  }
  return found;
}

std::string policy_entry(const JudgedComparison& input, const std::vector<Variation>& variations) {
  std::string metrics;
  for (const Variation& each : variations) metrics += fmt::format("{}\"{}\"", metrics.empty() ? "" : ", ", each.metric);
  return fmt::format(R"("varying": [{{"case": "{}", "metrics": [{}], "reason": "..."}}])", input.current.case_name,
                     metrics);
}

Severity severity_of(const JudgedComparison& input) {
  const Status status = input.verdict.status;
  return status == Status::no_baseline || status == Status::inconclusive || status == Status::regressed
             ? Severity::cause
             : Severity::warning;
}

struct Explained {
  FindingCode code;
  std::vector<Variation> variations;
  std::string where = "";
  std::string source;
  std::string fix;
  bool harmless = false;      ///< such values are stored and judged all the same
  bool by_operators = false;  ///< no entry in a policy is needed: they are left out of a baseline
};

Finding finding_of(const JudgedComparison& input, const Explained& explained) {
  const Variation& first = explained.variations.front();
  Finding finding{
      .code = explained.code,
      .severity = explained.harmless ? Severity::note : severity_of(input),
      .message = fmt::format("processes {} and {} ran the same code and differ: {}{}; {}",
                             number_of(input.current, first.first), number_of(input.current, first.other),
                             list_of(explained.variations), explained.where, explained.source),
      .advice = explained.harmless || explained.by_operators
                    ? explained.fix
                    : fmt::format("{} Or declare it in the policy of the suite, then it is judged in A/B only: {}",
                                  explained.fix, policy_entry(input, explained.variations)),
      .metric = first.metric};
  for (std::size_t i = 1; i < explained.variations.size(); ++i) finding.also.push_back(explained.variations[i].metric);
  return finding;
}

/// Samples, tokens and shapes describe the data; a loader's work depends on the sample.
bool data_differs(const JudgedComparison& input) {
  for (const auto& [metric, processes] : input.current.exact) {
    const Metric* row = find_metric(metric);
    if (row != nullptr && row->of_data && other_than_first(processes)) return true;
  }
  return false;
}

double relative_difference(const JudgedComparison& input, const Variation& variation) {
  const auto value_of = [&](std::size_t process) {
    return numeric_sequence(input.current.numerics[process], variation.metric)->at(*variation.step);
  };
  const double a = value_of(variation.first);
  const double b = value_of(variation.other);
  const double size = std::max(std::abs(a), std::abs(b));
  return size > 0 ? std::abs(a - b) / size : 0;
}

/// Whether a baseline of a GPU takes these values as they are (docs/design/verdicts.md, "Tier numeric").
bool are_rounding(const JudgedComparison& input, const std::vector<Variation>& variations) {
  if (input.device != Device::cuda) return false;
  const RoundingLimits limits{input.policy, dtype_of(input.current.exact_fingerprint)};
  const std::vector<NumericTrace>& traces = input.current.numerics;
  return std::ranges::all_of(variations, [&](const Variation& each) {
    return std::ranges::all_of(
        traces, [&](const NumericTrace& trace) { return agree_on_a_gpu(traces.front(), trace, each.metric, limits); });
  });
}

/// What to do where sums come in another order, on a GPU.
constexpr const char* deterministic_kernels =
    "LibTorch's own kernels are deterministic in this pass, as by "
    "at::globalContext().setDeterministicAlgorithms(true, false): look for a kernel of your own or of an extension "
    "that adds by atomics.";
constexpr const char* other_operator =
    "Replace it by an operator that LibTorch can run deterministically. Until then stepgate ab judges these values by "
    "the ranges of both builds.";
constexpr const char* seeds =
    "Seed every generator (torch::manual_seed, and each of your own) and fix the order of the data.";

std::string remedy_of(const JudgedComparison& input, double relative) {
  return input.device == Device::cuda && relative <= largest_rounding ? deterministic_kernels : seeds;
}

std::optional<Explained> explain_losses(const JudgedComparison& input) {
  const std::vector<Variation> found = varying_trajectories(input);
  std::vector<Variation> undeclared;
  std::copy_if(found.begin(), found.end(), std::back_inserter(undeclared),
               [&](const Variation& each) { return is_judged(input, each.metric); });
  if (undeclared.empty()) return std::nullopt;
  // All of them show where the difference begins: a declared loss comes before the norm that follows from it.
  const Variation* const norm = found.back().metric == "grad_norm" ? &found.back() : nullptr;
  const Variation* loss = nullptr;  // the first of all losses that differs
  for (const Variation& each : found) {
    if (&each != norm && (loss == nullptr || *each.step < *loss->step)) loss = &each;
  }
  VaryingNumerics varying{.loss_step = loss ? loss->step : std::nullopt,
                          .norm_step = norm ? norm->step : std::nullopt,
                          .other_data = data_differs(input)};
  const bool loss_first = loss && (!norm || *loss->step <= *norm->step);
  varying.relative = relative_difference(input, loss_first ? *loss : *norm);
  const bool harmless = are_rounding(input, undeclared);
  const std::set<std::string> operators = nondeterministic_operators(input.current.numerics);
  if (!operators.empty()) {
    return Explained{
        .code = FindingCode::losses_vary,
        .variations = std::move(undeclared),
        .where = harmless ? ", everywhere by less than a tenth of the tolerance" : "",
        .source = fmt::format("LibTorch has no deterministic implementation of {}", fmt::join(operators, ", ")),
        .fix = harmless ? "They are compared within the tolerance." : other_operator,
        .harmless = harmless,
        .by_operators = true};
  }
  return Explained{
      .code = FindingCode::losses_vary,
      .variations = std::move(undeclared),
      .where = harmless ? ", everywhere by less than a tenth of the tolerance" : "",
      .source = source_of_numerics(varying, input.current.counts.operators),
      .fix = harmless ? std::string("They are compared within the tolerance. To compare bits: ") + deterministic_kernels
                      : remedy_of(input, varying.relative),
      .harmless = harmless};
}

std::optional<Explained> explain_counts(const JudgedComparison& input, bool losses_vary) {
  std::vector<Variation> variations = varying_counts(input);
  if (variations.empty()) return std::nullopt;
  const auto boundaries = boundaries_of(input.current, variations);
  return Explained{.code = FindingCode::counts_vary,
                   .variations = std::move(variations),
                   .where = boundaries.empty() ? "" : fmt::format(", in {}", fmt::join(boundaries, ", ")),
                   .source = source_of_counts(boundaries, losses_vary),
                   .fix = "Let no other thread run operators while a step is counted, and nothing depend on a clock."};
}

/// Whether counts that the policy declares differ.
bool declared_counts_vary(const JudgedComparison& input) {
  const auto varying = varying_metrics(input.policy.varying, input.current.case_name);
  return std::any_of(input.current.exact.begin(), input.current.exact.end(), [&](const auto& counts) {
    return varies(varying, counts.first) && other_than_first(counts.second).has_value();
  });
}

std::optional<Explained> explain_bytes(const JudgedComparison& input, bool work_varies) {
  std::vector<Variation> variations = varying_bytes(input);
  if (variations.empty()) return std::nullopt;
  const auto boundaries = boundaries_of(input.current, variations);
  return Explained{.code = FindingCode::bytes_vary,
                   .variations = std::move(variations),
                   .where = boundaries.empty() ? "" : fmt::format(", in {}", fmt::join(boundaries, ", ")),
                   .source = source_of_bytes(work_varies),
                   .fix = "Find what allocates differently, or give the suite a bytes_tolerance."};
}

}  // namespace

std::vector<Finding> explain_varying_values(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (!input.judge_exact) return findings;
  const auto losses = explain_losses(input);
  const std::vector<Variation> trajectories = varying_trajectories(input);
  const bool losses_vary = !trajectories.empty() && !are_rounding(input, trajectories);
  const auto counts = explain_counts(input, losses_vary);
  if (losses) findings.push_back(finding_of(input, *losses));
  if (counts) findings.push_back(finding_of(input, *counts));
  if ((losses && !losses->harmless) || counts) return findings;  // bytes follow from them
  if (const auto bytes = explain_bytes(input, losses_vary || declared_counts_vary(input))) {
    findings.push_back(finding_of(input, *bytes));
    findings.back().severity = input.verdict.status == Status::inconclusive ? Severity::cause : Severity::warning;
  }
  return findings;
}

}  // namespace stepgate
