#include "experiment/results/pending_files.h"

#include <algorithm>

#include "baseline/make_baseline.h"
#include "baseline/pending.h"
#include "core/error.h"

namespace stepgate {
namespace {

bool is_exact_half(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier != Tier::timed;
}

/// The exact half is worth a pending file where anything in it is new or different; an equal one would only be noise.
bool exact_half_moved(const CaseVerdict& verdict_on_case) {
  return std::any_of(verdict_on_case.metrics.begin(), verdict_on_case.metrics.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && is_exact_half(verdict) && verdict.status != Status::pass &&
           verdict.status != Status::skipped;
  });
}

void write_one(const Project& project, const MakeBaselineRequest& request, PendingFiles& files) {
  try {
    const auto path = write_pending(project.out, make_baseline(request));
    if (files.first.empty()) files.first = path.string();
  } catch (const Error& error) {
    // Values that disagree or are not finite are no baseline; the verdict already says so. A file that cannot be
    // written is another matter.
    if (error.kind() != ErrorKind::baseline && std::string_view(error.what()).find(".json") != std::string_view::npos)
      throw;
    files.findings.push_back(
        {"no-pending-file", Severity::note, std::string("nothing to accept: ") + error.what(), error.remedy(), ""});
  }
}

}  // namespace

PendingFiles write_pending_files(const Project& project, const Measurement& measurement, const Comparison& comparison) {
  PendingFiles files;
  const CaseValues& values = comparison.current;
  if (!values.failures.empty()) return files;
  const auto request = [&](Scope scope) {
    return MakeBaselineRequest{
        values, scope, project.runner_class, measurement.utc, measurement.unix_s, measurement.commit};
  };
  const bool exact_is_portable = comparison.device != "cuda";
  if (exact_is_portable && values.clean_exact > 0 && exact_half_moved(comparison.verdict))
    write_one(project, request(Scope::portable), files);
  if (values.clean_timed > 0 || (!exact_is_portable && values.clean_exact > 0))
    write_one(project, request(Scope::runner), files);
  return files;
}

}  // namespace stepgate
