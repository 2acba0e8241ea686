#include "experiment/pending_files.h"

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
bool exact_half_moved(const Outcome& outcome) {
  return std::any_of(outcome.verdict.metrics.begin(), outcome.verdict.metrics.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && is_exact_half(verdict) && verdict.status != Status::pass &&
           verdict.status != Status::skipped;
  });
}

void write_one(const Context& context, const MakeBaselineRequest& request, Outcome& outcome) {
  try {
    const auto path = write_pending(context.options.out, make_baseline(request));
    if (outcome.pending_path.empty()) outcome.pending_path = path.string();
  } catch (const Error& error) {
    // Values that disagree or are not finite are no baseline; the verdict already says so. A file that cannot be
    // written is another matter.
    if (error.kind() != ErrorKind::baseline && std::string_view(error.what()).find(".json") != std::string_view::npos)
      throw;
    outcome.findings.push_back(
        {"no-pending-file", Severity::note, std::string("nothing to accept: ") + error.what(), error.remedy(), ""});
  }
}

}  // namespace

void add_pending(const Context& context, const ManifestCase& entry, const Measurement& measurement,
                 const CaseValues& values, Outcome& outcome) {
  if (!values.failures.empty()) return;
  const auto request = [&](Scope scope) {
    return MakeBaselineRequest{
        values, scope, context.options.runner_class, measurement.utc, measurement.unix_s, measurement.commit};
  };
  const bool exact_is_portable = entry.device != "cuda";
  if (exact_is_portable && values.clean_exact > 0 && exact_half_moved(outcome))
    write_one(context, request(Scope::portable), outcome);
  if (values.clean_timed > 0 || (!exact_is_portable && values.clean_exact > 0))
    write_one(context, request(Scope::runner), outcome);
}

}  // namespace stepgate
