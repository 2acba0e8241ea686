#include "cli/options/groups/judging.h"

#include "core/error.h"
#include "core/text/reason_text.h"

namespace stepgate {
namespace {

void need_name(const std::string& name) {
  if (says_a_reason(name) && name != "NAME") return;
  throw Error(ErrorKind::usage, "--allow-loosening names nobody",
              "give the name of who allows the loosened limits: every report shows it");
}

}  // namespace

OptionRow allow_loosening_row(std::string& name) {
  return {
      Topic::baselines,
      "allow-loosening",
      "NAME",
      "STEPGATE_ALLOW_LOOSENING",
      "who allows the limits that this tree loosens against the base build, where the policy of the base asks for it",
      text_into(name, "the name of a person or of a label"),
      {[&name] { need_name(name); }}};
}

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
