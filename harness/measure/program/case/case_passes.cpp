#include "measure/program/case/case_passes.h"

namespace stepgate {

std::vector<Pass> passes_of(Group group) {
  if (group == Group::reference) return {Pass::e2e};
  std::vector<Pass> passes;
  for (const PassRow& row : pass_table) {
    if (row.group == group) passes.push_back(row.pass);
  }
  return passes;
}

bool can_run(const Case& test_case, Pass pass, const StepCounts& steps) {
  const PassRow& row = row_of(pass);
  // Without a step count the profile pass chooses one itself.
  if (row.optional && steps.*row.steps == 0 && pass != Pass::profile) return false;
  return !test_case.loop || row.runs_over_loop;
}

}  // namespace stepgate
