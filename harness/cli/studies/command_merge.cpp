#include "cli/studies/command_merge.h"

#include <fmt/format.h>

#include "cli/options/groups/nodes.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/studies/views/sweep_view.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/merge_sweep.h"
#include "experiment/nodes/planned_run.h"

namespace stepgate {
namespace {

constexpr std::string_view merge_name = "merge";

std::filesystem::path plan_argument(const MergeCommand& o) {
  if (o.arguments.size() == 1) return o.arguments.front();
  throw Error(ErrorKind::usage, fmt::format("merge takes one plan folder, found {}", o.arguments.size()),
              "stepgate merge PLAN");
}

/// A sweep has no verdict.
void refuse_verdict_files(const MergeCommand& o) {
  const ReportOutput& output = o.output;
  const bool any =
      !output.markdown.empty() || !output.junit.empty() || !output.exports.empty() || output.github || o.judging.ctest;
  if (!any) return;
  throw Error(ErrorKind::usage, "this plan is of a sweep, which has a ranking and no verdict",
              "leave out --markdown, --junit, --export, --github and --ctest; --json and --html work");
}

int merge_rounds(const MergeCommand& o, const OpenedPlan& opened, const Project& project, const Caller& caller) {
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const NodeSweep merged = merge_sweep({project, measure, any_host, caller}, opened, {});
  for (const Notice& notice : merged.notices) caller.observer.on_notice(notice);
  return show_sweep({.json = o.output.json, .html = o.output.html, .style = o.output.style}, project, merged.sweep, 0);
}

}  // namespace

OptionRows rows_of(MergeCommand& o) {
  return joined({{out_row(o.out), mixed_nodes_row(o.mixed_nodes)},
                 rows_of(o.output, merge_name),
                 rows_of(o.judging),
                 {verbose_row(o.output.style)},
                 rows_of(o.output.style.table)});
}

int command_merge(const MergeCommand& o) {
  refuse_no_history(o.output);
  OpenedPlan opened = open_plan(plan_argument(o));
  opened.plan.mixed_nodes |= o.mixed_nodes;
  Project project = project_of_plan(opened, o.out.empty() ? opened.folder / "results" : o.out);
  project.require_baseline = o.judging.require_baseline;
  project.require_gpu |= o.judging.require_gpu;
  project.may_skip = comma_separated(o.judging.may_skip);
  if (opened.plan.sweep) refuse_verdict_files(o);
  // The commands of the report name the builds that were planned.
  const Caller caller =
      terminal_caller(false, {.base_build = opened.plan.base_build, .runner_class = opened.plan.runner_class}, project);
  if (opened.plan.sweep) return merge_rounds(o, opened, project, caller);
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const JudgedRun judged = merge_plan({project, measure, any_host, caller}, opened);
  return finish({.output = o.output, .judging = o.judging, .project = project, .plan = opened.folder}, judged);
}

}  // namespace stepgate
