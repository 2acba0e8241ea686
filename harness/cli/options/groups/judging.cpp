#include "cli/options/groups/judging.h"

namespace stepgate {

OptionRows rows_of(Judging& o) {
  return {
      {Topic::baselines, "require-baseline", "", "STEPGATE_REQUIRE_BASELINE",
       "a missing baseline, an inconclusive case and a skipped CPU case are failures, under CTest too",
       switch_on(o.require_baseline)},
      {Topic::baselines, "require-gpu", "", "STEPGATE_REQUIRE_GPU",
       "a skipped case is a failure, whatever is missing here", switch_on(o.require_gpu)},
      {Topic::baselines, "may-skip", "CASE,...", "STEPGATE_MAY_SKIP",
       "cases that this runner never runs: they stay skipped, whatever is required",
       text_into(o.may_skip, "names of cases, e.g. mine/mlp/two,mine/mlp/large")},
      {Topic::output, "ctest", "", "",
       "for CTest: print measurements; inconclusive and no baseline exit with 77 (skipped)", switch_on(o.ctest)},
  };
}

ProjectOptions judged(ProjectOptions project, const Judging& o) {
  project.require_baseline = o.require_baseline;
  project.require_gpu = o.require_gpu;
  project.may_skip = comma_separated(o.may_skip);
  return project;
}

}  // namespace stepgate
