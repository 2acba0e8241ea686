#include "diagnose/merge/merge_inference_causes.h"

#include <initializer_list>
#include <string_view>

namespace stepgate {
namespace {

void take_codes(std::initializer_list<FindingCode> codes, Fault& named, Faults& faults) {
  for (const FindingCode code : codes) {
    while (Fault* part = find_fault(faults, code)) take_whole(*part, named);
  }
}

/// Counters of the fault itself: the sentence of the cause has their figures.
void take_counters(std::initializer_list<std::string_view> metrics, Fault& named, Faults& faults) {
  for (const std::string_view metric : metrics) {
    if (Fault* part = find_fault(faults, FindingCode::work_added, metric)) take(*part, "", named);
  }
}

/// What its boundary does more, and the time that this takes.
void take_boundary(Fault& named, Faults& faults) {
  if (Fault* operators = added_operators(faults, named.finding.boundary)) take_whole(*operators, named);
  for (Fault& slower : faults) {
    const bool here =
        slower.finding.code == FindingCode::boundary_slower && slower.finding.boundary == named.finding.boundary;
    if (!slower.merged && here) take_whole(slower, named);
  }
}

}  // namespace

void merge_inference_causes(Faults& faults) {
  if (Fault* training = find_fault(faults, FindingCode::train_mode_left_on)) {
    take_counters({"training_modules"}, *training, faults);
    take_boundary(*training, faults);
    take_codes({FindingCode::forward_changed, FindingCode::numerics_diverge, FindingCode::update_changed,
                FindingCode::loss_changed, FindingCode::operator_removed},
               *training, faults);
  }
  if (Fault* graph = find_fault(faults, FindingCode::grad_mode_left_on)) {
    take_counters({"graph_answers_per_step", "autograd_nodes_per_step"}, *graph, faults);
    take_codes({FindingCode::saved_bytes_grew, FindingCode::peak_grew, FindingCode::kept_alive}, *graph, faults);
    take_boundary(*graph, faults);
  }
}

}  // namespace stepgate
