#include "experiment/results/pending_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "baseline/make_baseline.h"
#include "baseline/pending.h"
#include "core/error.h"
#include "core/step_count_fields.h"
#include "core/verdict/new_metric_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/report_files.h"
#include "launch/program_build.h"
#include "launch/window_length.h"

namespace stepgate {
namespace {

bool is_exact_half(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier != Tier::timed;
}

/// The exact half is worth a pending file where anything in it is new or different; an equal one would only be noise.
bool exact_half_moved(const CaseVerdict& verdict_on_case) {
  if (verdict_on_case.reason == ReasonCode::program_changed_setting) return true;
  return std::any_of(verdict_on_case.metrics.begin(), verdict_on_case.metrics.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && is_exact_half(verdict) && verdict.status != Status::pass &&
           verdict.reason != ReasonCode::varying;
  });
}

/// Whether the exact half was judged, and is what its baseline holds. A waiver hides a red value, so it settles
/// nothing.
bool exact_half_holds(const CaseVerdict& verdict_on_case) {
  const auto& metrics = verdict_on_case.metrics;
  const bool judged = std::any_of(metrics.begin(), metrics.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && is_exact_half(verdict) && verdict.status == Status::pass;
  });
  // A waived metric gates no longer.
  const bool waived = std::any_of(metrics.begin(), metrics.end(), [](const MetricVerdict& verdict) {
    return is_exact_half(verdict) && verdict.reason == ReasonCode::waived;
  });
  return judged && !waived && !exact_half_moved(verdict_on_case);
}

/// The options that the key of such a baseline depends on and that a gate without options does not set. Steps that
/// stepgate lengthened are left out: such a gate reads them back from the baseline.
std::string options_of(const Plan& plan, Scope scope) {
  std::string text;
  if (plan.seed != Plan{}.seed) text = fmt::format("--seed {}", plan.seed);
  std::string steps;
  const NamedSteps lengthened = steps_of_baseline(text_of(plan.steps));
  for (const StepCountField& field : step_count_fields) {
    const auto asked = plan.steps.find(std::string(field.name));
    const bool is_exact = field.decides == Group::exact;
    if (asked == plan.steps.end() || is_exact != (scope != Scope::runner)) continue;
    if (lengthened.contains(asked->first)) continue;
    steps += fmt::format("{}{}={}", steps.empty() ? "" : ",", field.name, asked->second);
  }
  if (!steps.empty()) text += fmt::format("{}--steps {}", text.empty() ? "" : " ", steps);
  const auto rate = plan.params.find(request_rate_param);
  if (rate != plan.params.end() && scope == Scope::runner) {
    text += fmt::format("{}--request-rate {}", text.empty() ? "" : " ", rate->second);
  }
  return text;
}

Scope scope_of_exact_half(const JudgedComparison& comparison) {
  return comparison.device == Device::cuda ? Scope::device : Scope::portable;
}

/// Called where `error` is caught. Values that disagree or are not finite cannot become a baseline; the verdict already
/// says so. A file that cannot be written is another matter.
Finding nothing_to_accept(const Error& error) {
  if (error.kind() != ErrorKind::baseline && std::string_view(error.what()).find(".json") != std::string_view::npos)
    throw;
  return {FindingCode::no_pending_file, Severity::note, std::string("nothing to accept: ") + error.what(),
          error.remedy(), ""};
}

void add_baseline(const MakeBaselineRequest& request, PendingBaselines& pending) {
  try {
    pending.emplace_back(make_baseline(request));
  } catch (const Error& error) {
    pending.emplace_back(nothing_to_accept(error));
  }
}

void write_one(const Project& project, const Baseline& baseline, PendingFiles& files) {
  try {
    const auto path = write_pending(project.out, baseline);
    if (files.first.empty()) files.first = path.string();
    files.digests.push_back(text_file_digest(path));
  } catch (const Error& error) {
    files.findings.push_back(nothing_to_accept(error));
  }
}

}  // namespace

bool holds_half(const Baseline& pending, TierChoice half) {
  const bool timed = !pending.sessions.empty();
  if (half == TierChoice::all) return true;
  return half == TierChoice::timed ? timed : !timed || !pending.exact.empty();
}

PendingBaselines pending_baselines(const Project& project, const Measurement& measurement,
                                   const JudgedComparison& comparison) {
  PendingBaselines pending;
  const CaseValues& values = comparison.current;
  if (!values.failures.empty() || has_group(measurement, Group::profile)) return pending;
  const auto request = [&](Scope scope) {
    return MakeBaselineRequest{.values = values,
                               .scope = scope,
                               .runner_class = project.runner_class,
                               .utc = measurement.utc,
                               .unix_s = measurement.unix_s,
                               .commit = measurement.commit,
                               .options = options_of(measurement.plan, scope),
                               .varying = varying_metrics(comparison.policy.varying, values.case_name),
                               .policy = &comparison.policy};
  };
  if (values.clean_exact > 0 && exact_half_moved(comparison.verdict))
    add_baseline(request(scope_of_exact_half(comparison)), pending);
  const std::int64_t fewest = comparison.policy.min_clean_replicates;
  if (values.clean_timed > 0 && values.clean_timed < fewest) {
    pending.emplace_back(Finding{FindingCode::no_pending_file, Severity::note,
                                 fmt::format("no session to accept: {} clean timed processes, and a verdict needs {}",
                                             values.clean_timed, fewest),
                                 fmt::format("measure again with --replicates {} or more.", fewest), ""});
  } else if (values.clean_timed > 0) {
    add_baseline(request(Scope::runner), pending);
  }
  return pending;
}

PendingFiles write_pending_files(const Project& project, const PendingBaselines& pending) {
  PendingFiles files;
  for (const auto& each : pending) {
    if (const auto* baseline = std::get_if<Baseline>(&each))
      write_one(project, *baseline, files);
    else
      files.findings.push_back(std::get<Finding>(each));
  }
  return files;
}

void remove_settled_pending(const Project& project, const JudgedComparison& comparison) {
  const CaseValues& values = comparison.current;
  if (values.clean_exact == 0 || !values.failures.empty() || !exact_half_holds(comparison.verdict)) return;
  remove_pending(
      project.out,
      {.scope = scope_of_exact_half(comparison), .runner_class = project.runner_class, .case_name = values.case_name});
}

NewMetricFiles new_metric_files(const Project& project, TierChoice half) {
  std::map<std::string, std::filesystem::path> left;  // by digest
  for (const std::filesystem::path& file : pending_files(project.out)) left.emplace(text_file_digest(file), file);
  NewMetricFiles found;
  for (const NewMetricCase& each : new_metric_cases(stored_outcomes(project, project.manifest.cases), half)) {
    const std::size_t before = found.files.size();
    for (const std::string& digest : each.pending_digests) {
      const auto own = left.extract(digest);  // two verdicts on one measurement leave one file
      if (!own.empty() && holds_half(read_pending_file(own.mapped()), half)) found.files.push_back(own.mapped());
    }
    if (found.files.size() == before) found.without.push_back(each.name);
  }
  return found;
}

}  // namespace stepgate
