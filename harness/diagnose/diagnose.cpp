#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "diagnose/both_sides.h"
#include "diagnose/causes/pattern_causes.h"
#include "diagnose/memory/allocator_health.h"
#include "diagnose/memory/checkpoint_growth.h"
#include "diagnose/memory/memory_growth.h"
#include "diagnose/memory/reserved_growth.h"
#include "diagnose/merge/merge_causes.h"
#include "diagnose/policy/budget.h"
#include "diagnose/policy/declared_varying.h"
#include "diagnose/policy/waiver_notice.h"
#include "diagnose/precision/explain_precision.h"
#include "diagnose/precision/lost_low_precision.h"
#include "diagnose/reproducibility/environment_drift.h"
#include "diagnose/reproducibility/noise.h"
#include "diagnose/reproducibility/varying_values.h"
#include "diagnose/time/boundary_time.h"
#include "diagnose/time/changed_lengths.h"
#include "diagnose/time/first_step.h"
#include "diagnose/time/input_path.h"
#include "diagnose/time/launch_bound.h"
#include "diagnose/time/new_shapes.h"
#include "diagnose/time/times_without_baseline.h"
#include "diagnose/work/batch_norm.h"
#include "diagnose/work/cold_primitives.h"
#include "diagnose/work/conversion.h"
#include "diagnose/work/held_graphs.h"
#include "diagnose/work/loader_workers.h"
#include "diagnose/work/lost_detach.h"
#include "diagnose/work/model_size.h"
#include "diagnose/work/more_updates.h"
#include "diagnose/work/numerics_change.h"
#include "diagnose/work/operator_change.h"
#include "diagnose/work/saved_bytes.h"
#include "diagnose/work/source_of_change.h"
#include "diagnose/work/unknown_flops.h"
#include "diagnose/work/work_location.h"
#include "diagnose/work/zeroed_gradients.h"

namespace stepgate {
namespace {

using Question = std::vector<Finding> (*)(const JudgedComparison&);

// The most telling answer first: among equally strong causes, and within the other severities, this order is kept.
// One question a line, so that a new one changes one line.
// clang-format off
constexpr Question questions[] = {
    explain_varying_values,
    explain_loader_workers,
    explain_lost_low_precision,
    explain_numerics,
    explain_batch_norm,
    explain_model_size,
    explain_precision,  // faults of mixed precision are shown at any verdict
    explain_more_updates,
    explain_zeroed_gradients,
    explain_lost_detach,
    explain_held_graphs,
    explain_patterns,
    explain_conversions,
    explain_cold_primitives,  // a note at any verdict
    note_unknown_flops,       // likewise
    explain_operators,
    explain_saved_bytes,
    explain_work_location,
    explain_memory,
    explain_checkpoint,
    explain_allocator_health,
    explain_budgets,
    explain_new_shapes,
    explain_changed_lengths,  // beside any red
    explain_input_path,
    explain_boundary_time,
    explain_first_step,
    explain_noise,
    explain_reserved_growth,
    explain_launch_bound,  // shown at any verdict
    explain_environment,
    explain_times_without_baseline,
    explain_unknown_lines,  // once, whatever the causes
    explain_declared_varying,
    name_waivers,
};
// clang-format on

/// Every red gets an explanation, even where no record says where it comes from.
Finding unexplained(const CaseVerdict& verdict) {
  const auto red = std::find_if(verdict.metrics.begin(), verdict.metrics.end(), [](const MetricVerdict& metric) {
    return metric.gating && metric.status == Status::regressed;
  });
  const bool known = red != verdict.metrics.end();
  const std::string what = known ? label_of(red->metric) : verdict.case_name;
  const std::string detail = known ? red->detail : verdict.detail;
  return {.code = "unexplained",
          .severity = Severity::cause,
          .message = fmt::format("{}{}{}; no record of boundaries, operators or memory says where it comes from", what,
                                 detail.empty() ? " regressed" : ": ", detail),
          .advice = "compare what both commits recorded by operator and boundary: the key counts of measurement.json.",
          .metric = known ? red->metric : ""};
}

}  // namespace

std::vector<Finding> diagnose(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (Question question : questions) {
    for (Finding& finding : question(input)) findings.push_back(std::move(finding));
  }
  findings = merge_causes(input, std::move(findings));
  const bool has_cause = std::any_of(findings.begin(), findings.end(),
                                     [](const Finding& finding) { return finding.severity == Severity::cause; });
  if (input.verdict.status == Status::regressed && !has_cause) findings.push_back(unexplained(input.verdict));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

}  // namespace stepgate
