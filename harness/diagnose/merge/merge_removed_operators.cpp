#include "diagnose/merge/merge_removed_operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/boundary.h"
#include "core/step_boundaries.h"
#include "diagnose/work/operator_findings.h"
#include "diagnose/work/step_spread.h"

namespace stepgate {
namespace {

/// The part of a step in which a difference can come from.
enum class StepPart { up_to_forward, behind_backward, anywhere_but_backward, told };

/// Where a numeric cause comes from. `told`: its sentence says the reason, so that no operator that is gone says more.
struct PartOfCause {
  FindingCode code;
  StepPart part;
};
constexpr std::array parts_of_causes = {PartOfCause{FindingCode::forward_changed, StepPart::up_to_forward},
                                        PartOfCause{FindingCode::loss_changed, StepPart::anywhere_but_backward},
                                        PartOfCause{FindingCode::gradient_changed, StepPart::up_to_forward},
                                        PartOfCause{FindingCode::update_changed, StepPart::behind_backward},
                                        PartOfCause{FindingCode::numerics_diverge, StepPart::anywhere_but_backward},
                                        PartOfCause{FindingCode::numerics_changed, StepPart::anywhere_but_backward},
                                        PartOfCause{FindingCode::gradients_accumulate, StepPart::told},
                                        PartOfCause{FindingCode::loss_scale_changed, StepPart::told}};

bool comes_from(StepPart part, const std::string& name, const StepBoundaries& boundaries) {
  if (part == StepPart::told) return false;
  if (name == whole_step_name) return true;
  const auto boundary = boundaries.find(name);
  if (!boundary || *boundary == Boundary::backward) return false;
  const std::size_t place = boundaries.place_of(*boundary);
  if (part == StepPart::up_to_forward) return place <= boundaries.place_of(Boundary::forward);
  return part == StepPart::anywhere_but_backward || place > boundaries.place_of(Boundary::backward);
}

/// Operators that were added there as well tell as much, and have a cause of their own. What logging does comes after
/// the update.
bool has_added_operators(StepPart part, const Faults& faults, const StepBoundaries& boundaries) {
  return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
    const std::string& boundary = fault.finding.boundary;
    return is_operator_cause(fault) && boundary != name_of(Boundary::logging) && comes_from(part, boundary, boundaries);
  });
}

/// Takes the findings on removed operators out of the list.
Faults removed_of(std::vector<Finding>& notes) {
  const auto first = std::stable_partition(
      notes.begin(), notes.end(), [](const Finding& finding) { return finding.code != FindingCode::operator_removed; });
  Faults removed;
  for (auto note = first; note != notes.end(); ++note) removed.push_back({std::move(*note)});
  notes.erase(first, notes.end());
  return removed;
}

Finding as_cause(Finding removed) {
  return {.code = FindingCode::operator_removed,
          .severity = Severity::cause,
          .message = std::move(removed.message),
          .advice =
              "this ran before, and losses changed with it: look for a call that is gone or a condition that is "
              "false now; if it was taken out on purpose, accept the new values.",
          .metric = std::move(removed.metric),
          .boundary = std::move(removed.boundary),
          .sources = std::move(removed.sources)};
}

}  // namespace

void merge_removed_operators(const JudgedComparison& input, Faults& faults, std::vector<Finding>& notes) {
  const auto* const row = std::find_if(parts_of_causes.begin(), parts_of_causes.end(),
                                       [&](const PartOfCause& one) { return find_fault(faults, one.code) != nullptr; });
  if (row == parts_of_causes.end()) return;
  Fault& numeric = *find_fault(faults, row->code);
  Faults removed = removed_of(notes);
  const StepBoundaries& boundaries = input.current.boundaries;
  const bool may_lead = !has_added_operators(row->part, faults, boundaries);
  const auto leader = std::find_if(removed.begin(), removed.end(), [&](const Fault& one) {
    const bool logs = one.finding.boundary == name_of(Boundary::logging);  // it changes no later loss
    return may_lead && !logs && comes_from(row->part, one.finding.boundary, boundaries) &&
           removes_computation(input, one.finding.boundary);
  });
  // What is gone explains losses, and no rise of the number of operators.
  for (Fault& one : removed) one.finding.metric = numeric.finding.metric;
  if (leader == removed.end()) {
    for (Fault& part : removed) take_whole(part, numeric);
    return;
  }
  Fault cause = fault_of(as_cause(std::move(leader->finding)));
  removed.erase(leader);
  cause.steps = affected_steps(step_spread(input, "operators_per_step"));
  take_whole(numeric, cause);
  for (Fault& part : removed) take_whole(part, cause);
  faults.push_back(std::move(cause));
}

}  // namespace stepgate
