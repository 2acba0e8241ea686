#include "experiment/results/times_of_measurement.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/metric.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/case_judgement.h"
#include "experiment/results/report_files.h"
#include "judge/reduce/flop_rate.h"
#include "judge/reduce/reduce_case.h"
#include "judge/reduce/step_distributions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::optional<double> median_of(const CaseValues& values, const std::string& metric) {
  const auto at = values.timed.find(metric);
  return at == values.timed.end() || at->second.empty() ? std::nullopt : std::optional(median(at->second));
}

std::optional<double> current_of(const CaseVerdict& verdict, std::string_view metric) {
  const auto at = std::find_if(verdict.metrics.begin(), verdict.metrics.end(),
                               [&](const MetricVerdict& each) { return each.metric == metric; });
  return at == verdict.metrics.end() ? std::nullopt : at->current;
}

/// In the order of the catalogue. Where a case did not infer there is none, and nothing is missing.
void add_measured_latencies(const CaseValues& values, MeasuredTimes& times) {
  times.requests_per_s = median_of(values, "requests_per_s");
  for (const Metric& metric : metric_catalogue()) {
    if (!is_latency(metric.name)) continue;
    const std::string name(metric.name);
    if (const auto at = values.timed.find(name); at != values.timed.end() && !at->second.empty()) {
      const auto [lowest, highest] = std::minmax_element(at->second.begin(), at->second.end());
      times.latencies.push_back({label_of(name), median(at->second), *lowest, *highest});
    } else if (const auto why = values.absent.find(name); why != values.absent.end() && values.inference) {
      times.missing_latencies.push_back(label_of(name) + ": " + why->second);
    }
  }
}

void add_stored_latencies(const CaseVerdict& verdict, MeasuredTimes& times) {
  times.requests_per_s = current_of(verdict, "requests_per_s");
  for (const Metric& metric : metric_catalogue()) {
    const auto current = is_latency(metric.name) ? current_of(verdict, metric.name) : std::nullopt;
    if (current) times.latencies.push_back({.label = label_of(metric.name), .median_ns = *current});
  }
}

/// What a run prints beside its times, in this order. FLOPs and MFU have a line of their own.
constexpr const char* printed_rates[] = {"samples_per_s",
                                         "steps_per_s",
                                         "effective_tokens_per_s",
                                         "padded_tokens_per_s",
                                         "gpu_energy_per_step_j",
                                         "gpu_energy_per_sample_j",
                                         "package_energy_per_step_j",
                                         "package_energy_per_sample_j"};

std::vector<MeasuredRate> rates_of(const CaseValues& values) {
  std::vector<MeasuredRate> rates;
  for (const std::string metric : printed_rates) {
    const auto why = values.absent.find(metric);
    rates.push_back({.metric = metric,
                     .value = median_of(values, metric),
                     .why_absent = why == values.absent.end() ? "" : why->second});
  }
  return rates;
}

std::vector<MeasuredRate> rates_of(const CaseVerdict& verdict) {
  std::vector<MeasuredRate> rates;
  for (const std::string metric : printed_rates)
    rates.push_back({.metric = metric, .value = current_of(verdict, metric), .why_absent = ""});
  return rates;
}

std::vector<MeasuredTimes> without_verdict(const Project& project, const ManifestCase& entry) {
  std::vector<MeasuredTimes> times;
  for (const std::filesystem::path& file : result_files(project, {entry}, "measurement.json")) {
    const Measurement measurement = read_measurement(file);
    if (!has_group(measurement, Group::timed)) continue;
    const CasePlan plan{.entry = entry,
                        .tier = TierChoice::timed,
                        .files = read_case_files(project, entry, TierChoice::timed),
                        .request = {}};
    times.push_back(measured_times(project, plan, measurement));
  }
  return times;
}

}  // namespace

MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement) {
  const CaseValues values = comparison_of(project, plan, case_values(measurement)).current;
  MeasuredTimes times{
      .case_name = measurement.case_name, .distributions = step_distributions(measurement), .rates = rates_of(values)};
  times.tflop_per_s = median_of(values, "tflop_per_s");
  times.mfu_ratio = median_of(values, "mfu_ratio");
  add_measured_latencies(values, times);
  const auto reason = values.absent.find("mfu_ratio");
  if (times.tflop_per_s && !times.mfu_ratio && reason != values.absent.end()) times.why_no_mfu = reason->second;
  return times;
}

MeasuredTimes stored_times(const Outcome& outcome) {
  MeasuredTimes times{.case_name = outcome.verdict.case_name,
                      .distributions = outcome.distributions,
                      .rates = rates_of(outcome.verdict),
                      .tflop_per_s = current_of(outcome.verdict, "tflop_per_s"),
                      .mfu_ratio = current_of(outcome.verdict, "mfu_ratio")};
  add_stored_latencies(outcome.verdict, times);
  // A peak that the policy stated would have given an MFU, so the table of peaks alone has the reason.
  if (times.tflop_per_s && !times.mfu_ratio)
    times.why_no_mfu = device_peak(outcome.fingerprint, {}, std::nullopt).reason;
  return times;
}

std::vector<MeasuredTimes> times_of_cases(const Project& project, const std::vector<ManifestCase>& cases,
                                          const RunReport& report) {
  std::vector<MeasuredTimes> all;
  for (const ManifestCase& entry : cases) {
    std::vector<MeasuredTimes> times;
    for (const Outcome& outcome : report.outcomes) {
      if (outcome.verdict.case_name == entry.name) times.push_back(stored_times(outcome));
    }
    std::erase_if(times, [](const MeasuredTimes& one) { return one.distributions.empty(); });
    if (times.empty()) times = without_verdict(project, entry);
    std::move(times.begin(), times.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace stepgate
