#include "baseline/make_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "baseline/baseline_key.h"
#include "baseline/baseline_path.h"
#include "core/error.h"
#include "core/record/loss_sequences.h"
#include "core/stored/varying_metric.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "core/verdict/losses/rounded_traces.h"
#include "core/version.h"

namespace stepgate {
namespace {

[[noreturn]] void refuse(const CaseValues& values, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}", values.case_name, what), remedy);
}

constexpr std::string_view nondeterministic =
    "something in the workload is not deterministic: seed every generator, load data in a fixed order, measure again";

/// Loader workers are the usual source, and the counts pass saw whether there are any.
std::string remedy_against_variation(const CaseValues& values) {
  const auto& calls = values.counts.worker_operators;
  if (calls.empty()) return std::string(nondeterministic);
  return fmt::format(
      "other threads than the step's run operators ({}{}), as loader workers do: load on the calling "
      "thread where context.synchronous_loader is true, measure again",
      calls.begin()->first, calls.size() > 1 ? ", ..." : "");
}

/// A metric that differs from machine to machine does not belong in a portable file. One that differs from process to
/// process does not belong in any file.
bool is_stored(const std::string& name, const MakeBaselineRequest& request) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr) return true;
  const bool elsewhere = request.scope == Scope::portable && metric->scope == Scope::runner && !request.same_machine;
  const bool is_compared = metric->reference != Reference::nothing && metric->reference != Reference::always_zero;
  return is_compared && !elsewhere && !request.varying.contains(name);
}

std::map<std::string, std::vector<std::int64_t>> agreed_counts(const MakeBaselineRequest& request) {
  const CaseValues& values = request.values;
  std::map<std::string, std::vector<std::int64_t>> agreed;
  for (const auto& [metric, replicates] : values.exact) {
    if (replicates.empty() || !is_stored(metric, request)) continue;
    const bool equal = std::all_of(replicates.begin(), replicates.end(),
                                   [&first = replicates.front()](const auto& replicate) { return replicate == first; });
    if (!equal) {
      refuse(values, fmt::format("replicates disagree on {}, so it cannot become a baseline", metric),
             remedy_against_variation(values));
    }
    agreed[metric] = replicates.front();
  }
  return agreed;
}

std::map<std::string, std::vector<std::int64_t>> distinct_bytes(const MakeBaselineRequest& request) {
  std::map<std::string, std::vector<std::int64_t>> distinct;
  for (const auto& [metric, replicates] : request.values.bytes) {
    if (replicates.empty() || !is_stored(metric, request)) continue;
    std::vector<std::int64_t>& sorted = distinct[metric] = replicates;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const Metric* row = find_metric(metric);
    if (row != nullptr && !row->stores_zero && sorted.back() <= 0) distinct.erase(metric);
  }
  return distinct;
}

void require_finite(const CaseValues& values, const std::string& metric, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    refuse(values, fmt::format("{}[{}] is {}, which no baseline can hold", metric, i, numbers[i]),
           "fix the workload: its training diverges");
  }
}

/// The trace without what varies. Digests are of all values, so they vary too.
NumericTrace stored_part(NumericTrace trace, const std::set<std::string>& varying) {
  const bool any =
      std::ranges::any_of(numeric_metrics(trace), [&](const std::string& metric) { return varies(varying, metric); });
  if (any) trace.loss_digest = trace.parameter_digest = "";
  if (varying.contains("loss")) trace.loss.clear();
  if (varying.contains("grad_norm")) trace.grad_norm.clear();
  if (varying.contains("loss_scale")) trace.loss_scale.clear();
  std::erase_if(trace.further_losses,
                [&](const auto& entry) { return varies(varying, member_of(further_loss_family, entry.first)); });
  return trace;
}

/// The first sequence that differs.
std::string disagreement(const NumericTrace& trace, const NumericTrace& first) {
  for (const std::string& metric : numeric_metrics(trace)) {
    const std::vector<double>* other = numeric_sequence(first, metric);
    if (other == nullptr || *numeric_sequence(trace, metric) != *other) return metric;
  }
  return "their losses";
}

bool may_round(const MakeBaselineRequest& request, const NumericTrace& first, const NumericTrace& other) {
  if (request.scope != Scope::device || request.policy == nullptr) return false;
  return agree_on_a_gpu(first, other, {*request.policy, dtype_of(request.values.exact_fingerprint)});
}

/// What the policy declares, and what operators without a deterministic implementation make vary.
std::set<std::string> varying_numerics(const MakeBaselineRequest& request) {
  std::set<std::string> varying = request.varying;
  const bool may_be_rounded = request.scope == Scope::device && request.policy != nullptr;
  const std::vector<NumericTrace>& traces = request.values.numerics;
  if (may_be_rounded) {
    const RoundingLimits limits{*request.policy, dtype_of(request.values.exact_fingerprint)};
    varying.merge(metrics_that_operators_vary(traces, &limits));
  } else {
    varying.merge(metrics_that_operators_vary(traces, nullptr));
  }
  return varying;
}

std::optional<NumericTrace> agreed_numerics(const MakeBaselineRequest& request) {
  const CaseValues& values = request.values;
  if (values.numerics.empty()) return std::nullopt;
  const std::set<std::string> varying = varying_numerics(request);
  NumericTrace first = stored_part(values.numerics.front(), varying);
  bool to_the_bit = true;
  for (const NumericTrace& trace : values.numerics) {
    for (const std::string& metric : numeric_metrics(trace)) {
      require_finite(values, metric, *numeric_sequence(trace, metric));
    }
    const NumericTrace other = stored_part(trace, varying);
    if (same_sequences(other, first)) continue;
    if (may_round(request, first, other)) {
      to_the_bit = false;
      continue;
    }
    refuse(values, fmt::format("replicates disagree on {}, so it cannot become a baseline", disagreement(other, first)),
           remedy_against_variation(values));
  }
  const std::set<std::string> operators = nondeterministic_operators(values.numerics);
  if (numeric_metrics(first).empty() && operators.empty()) return std::nullopt;
  first.nondeterministic_operators.assign(operators.begin(), operators.end());
  if (to_the_bit) return first;
  first.loss_digest = first.parameter_digest = "";
  first.rounded = true;
  return first;
}

bool has_exact_half(const CaseValues& values) {
  return !values.exact.empty() || !values.bytes.empty() || !values.numerics.empty();
}

/// Of each operator only the innermost function: callers of it would make the file several times as large. Who calls
/// whom is kept once for all operators.
void fill_functions(const ObservedWork& work, Baseline& baseline) {
  for (const OperatorSite& site : work.sites) {
    const bool known = site.place && *site.place < work.places.size() && !work.places[*site.place].frames.empty();
    const std::string function = known ? work.places[*site.place].frames.front().function : "";
    if (!function.empty()) baseline.operator_functions[site.boundary][site.name][function] += site.calls;
  }
  if (baseline.operator_functions.empty()) return;
  baseline.functions_from = name_of(work.frames_from);
  baseline.function_calls = function_calls(work);
}

/// Where the resolution lies below the noise floor, a difference says more than the values that are left of both.
std::map<std::string, std::vector<LevelGrowth>> stored_growth(const MakeBaselineRequest& request) {
  std::map<std::string, std::vector<LevelGrowth>> growth;
  for (const auto& [metric, processes] : request.values.growth) {
    const Metric* row = find_metric(metric);
    const bool told_apart = row != nullptr && row->resolution > 0 && row->resolution < row->noise_floor;
    if (told_apart && processes.size() >= 2 && is_stored(metric, request)) growth[metric] = processes;
  }
  return growth;
}

void fill_exact_half(const MakeBaselineRequest& request, Baseline& baseline) {
  const CaseValues& values = request.values;
  baseline.exact = agreed_counts(request);
  baseline.bytes = distinct_bytes(request);
  baseline.growth = stored_growth(request);
  baseline.numerics = agreed_numerics(request);
  if (baseline.numerics && request.scope == Scope::device) {
    baseline.numerics->key = numerics_key(values.exact_fingerprint);
  }
  baseline.counts_by_boundary = values.counts.by_boundary;
  std::erase_if(baseline.counts_by_boundary, [&](const auto& entry) { return !is_stored(entry.first, request); });
  baseline.device_calls = values.counts.device_calls;
  std::erase_if(baseline.device_calls, [&](const auto& entry) {
    return find_metric(entry.first) == nullptr || !is_stored(entry.first, request);
  });
  if (!request.varying.contains("operators_per_step")) {
    baseline.operators = values.counts.operators;
    if (values.counts.observed) fill_functions(*values.counts.observed, baseline);
  }
  if (request.varying.contains("peak_allocated_bytes")) return;
  baseline.peak_by_boundary = values.peak_by_boundary;
  baseline.ledger = values.ledger;
}

void fill_session(const MakeBaselineRequest& request, Baseline& baseline) {
  Session session{request.utc, request.unix_s, request.commit, {}};
  for (const auto& [metric, numbers] : request.values.timed) {
    require_finite(request.values, metric, numbers);
    if (!numbers.empty()) session.timed[metric] = numbers;
  }
  if (session.timed.empty()) {
    refuse(request.values, "no clean timed replicate, so there is nothing to compare times with",
           "measure the timed half: stepgate gate --tier timed");
  }
  baseline.sessions.push_back(std::move(session));
}

const Fingerprint& facts_of(const MakeBaselineRequest& request) {
  return request.scope == Scope::runner ? request.values.timed_fingerprint : request.values.exact_fingerprint;
}

std::string fact(const Fingerprint& facts, const std::string& key) {
  const auto at = facts.find(key);
  return at == facts.end() ? "" : at->second;
}

Provenance provenance_of(const MakeBaselineRequest& request) {
  Provenance provenance;
  provenance.commit = request.commit;
  provenance.utc = request.utc;
  provenance.options = request.options;
  provenance.compiler = fact(facts_of(request), "compiler");
  provenance.stepgate_version = version;
  const bool counted = request.scope != Scope::runner;
  provenance.sessions = counted ? 0 : 1;
  provenance.replicates = counted ? request.values.clean_exact : request.values.clean_timed;
  return provenance;
}

Fingerprint key_of(const MakeBaselineRequest& request) {
  const Fingerprint& facts = facts_of(request);
  if (request.scope == Scope::runner) return runner_key(facts);
  return request.scope == Scope::portable ? portable_key(facts) : device_exact_key(facts);
}

}  // namespace

Baseline make_baseline(const MakeBaselineRequest& request) {
  const bool counted = request.scope != Scope::runner;
  Baseline baseline;
  baseline.case_name = request.values.case_name;
  baseline.scope = request.scope;
  baseline.runner_class = request.scope == Scope::portable ? std::string(portable_class) : request.runner_class;
  baseline.key = key_of(request);
  baseline.switches = switches_beside_key(facts_of(request), request.scope);
  if (counted && !has_exact_half(request.values)) {
    refuse(request.values, "no clean exact replicate, so there is no work to compare with",
           "measure the exact half: stepgate gate --tier exact");
  }
  counted ? fill_exact_half(request, baseline) : fill_session(request, baseline);
  baseline.provenance = provenance_of(request);
  return baseline;
}

}  // namespace stepgate
