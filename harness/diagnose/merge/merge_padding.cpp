#include "diagnose/merge/merge_padding.h"

#include <string>

#include "core/metric.h"
#include "diagnose/both_sides.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

constexpr const char* padding_metric = "padding_tokens_per_step";

bool is_work(AnyFindingCode code) {
  return code == FindingCode::work_added || code == FindingCode::saved_bytes_grew ||
         code == FindingCode::operator_added || code == FindingCode::peak_grew;
}

}  // namespace

void merge_padding(const JudgedComparison& input, Faults& faults) {
  Fault* padding = find_fault(faults, FindingCode::work_added, padding_metric);
  if (padding == nullptr) return;
  const std::string steps = affected_steps(step_spread(input, padding_metric));
  for (Fault& work : faults) {
    if (&work == padding || work.merged || !is_work(work.finding.code)) continue;
    if (affected_steps(step_spread(input, work.finding.metric)) != steps) continue;
    // Their lines are the whole model.
    work.finding.sources.clear();
    take(work, is_red(input, work.finding.metric) ? label_of(work.finding.metric) : "", *padding);
  }
}

}  // namespace stepgate
