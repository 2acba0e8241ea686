// `plan`, `shard run`, `merge`, and `ab --nodes` and `sweep --nodes`, which are all three in one.
#include "cli/commands/command_nodes.h"

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/sweep_view.h"
#include "cli/interrupt.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/nodes/make_plan.h"
#include "experiment/nodes/make_sweep_plan.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/node_engines.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/plan/nodes_text.h"

namespace stepgate {
namespace {

/// The builds that the commands of a report name are those that were planned.
Options as_planned(const Options& options, const ShardPlan& plan) {
  Options named = options;
  named.base_build = plan.base_build;
  named.build = plan.head_build;
  named.runner_class = plan.runner_class;
  return named;
}

void print_plan(const std::filesystem::path& folder, const std::string& what, std::int64_t shards) {
  print_line(stdout, "{}: {} over {}", folder.string(), what, counted(shards, "shard"));
  print_line(stdout, "on each machine: stepgate shard run {} N; then: stepgate merge {}", folder.string(),
             folder.string());
}

std::int64_t shards_of(const Options& options, const NodesAsked& asked) {
  return asked.kind == NodesKind::program ? options.shards.value_or(1) : asked.count;
}

void tell_all(const Caller& caller, const std::vector<Notice>& notices) {
  for (const Notice& notice : notices) caller.observer.on_notice(notice);
}

/// Of a sweep there is no verdict.
void refuse_verdict_files(const Options& options) {
  const bool any = !options.markdown.empty() || !options.junit.empty() || !options.exports.empty() || options.github ||
                   options.ctest;
  if (!any) return;
  throw Error(ErrorKind::usage, "this plan is of a sweep, which has a ranking and no verdict",
              "leave out --markdown, --junit, --export, --github and --ctest; --json and --html work");
}

int merge_rounds(const Options& options, const OpenedPlan& opened, const Project& project) {
  refuse_verdict_files(options);
  const Caller caller = terminal_caller(as_planned(options, opened.plan), project);
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const NodeSweep merged = merge_sweep({project, measure, any_host, caller}, opened, {});
  tell_all(caller, merged.notices);
  return show_sweep(options, project, merged.sweep, 0);
}

}  // namespace

int command_plan_sweep(const Options& options) {
  const Project project = read_project(project_options(options));
  const Caller caller = terminal_caller(options, project);
  const auto folder = options.out.empty() ? project.out / "plan" : options.out;
  const OpenedPlan made = make_sweep_plan(project, folder, node_sweep_options(options, std::nullopt), caller);
  print_plan(folder, counted(made.plan.cases.front().tries, "round"), made.plan.shards);
  return 0;
}

int command_plan_ab(const Options& options) {
  const Project project = read_project(project_options(options));
  const Caller caller = terminal_caller(options, project);
  const auto folder = options.out.empty() ? project.out / "plan" : options.out;
  const MadePlan made = make_node_plan(project, folder, node_plan_options(options, std::nullopt), caller);
  print_plan(folder, counted(made.opened.plan.cases.size(), "case"), made.opened.plan.shards);
  return 0;
}

int command_shard_run(const Options& options) {
  const ShardRunOptions asked = shard_run_options(options);
  const Caller caller = {.observer = terminal_observer(options), .commands = {}, .interrupted = watch_for_interrupts()};
  const ShardEnd end = run_shard(asked, caller);
  clear_progress_line(options);
  if (!end.unfit.empty()) {
    print_message(stderr, fmt::format("shard {}: unfit: {}", asked.shard, end.unfit),
                  "nothing was measured here; run the shard on another machine, or make the plan again");
    return 3;
  }
  print_line(stdout, "shard {}: {} handed back", asked.shard,
             end.rounds > 0 ? counted(end.rounds, "round") : counted(end.pairs, "pair"));
  return end.interrupted_by == 0 ? 0 : 128 + end.interrupted_by;
}

int command_merge(const Options& options) {
  refuse_no_history(options);
  OpenedPlan opened = open_plan(plan_argument(options));
  opened.plan.mixed_nodes |= options.mixed_nodes;
  Project project = project_of_plan(opened, options.out.empty() ? opened.folder / "results" : options.out);
  project.require_baseline = options.require_baseline;
  project.require_gpu |= options.require_gpu;
  project.may_skip = comma_separated(options.may_skip);
  if (opened.plan.sweep) return merge_rounds(options, opened, project);
  const Caller caller = terminal_caller(as_planned(options, opened.plan), project);
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const JudgedRun judged = merge_plan({project, measure, any_host, caller}, opened);
  Options shown = options;
  shown.html.clear();  // finish() would draw it from the build at hand, not from the plan
  const int status = finish(shown, judged);
  if (judged.interrupted_by == 0 && !options.html.empty())
    publish_page_of_plan(options, judged.report, project, opened.folder);
  return status;
}

int run_ab_on_nodes(const Options& options, const Project& project) {
  const Caller caller = terminal_caller(options, project);
  const NodesAsked asked = read_nodes_text(options.nodes);
  const HostOptions host = host_options(options);
  const auto machine = lock_of_local_nodes(asked, host, caller);
  const MadePlan made =
      make_node_plan(project, project.out / "ab-nodes", node_plan_options(options, shards_of(options, asked)), caller);
  Project planned = project_of_plan(made.opened, project.out);
  planned.start = project.start;
  const MeasureOptions measure = measure_options_of(made.opened.plan);
  const MeasuredHost any_host;
  JudgedRun judged = compare_on_nodes({planned, measure, any_host, caller}, made.opened, {asked, host, own_command()});
  judged.notices.insert(judged.notices.begin(), made.notices.begin(), made.notices.end());
  return finish(options, judged);
}

int run_sweep_on_nodes(const Options& options, const Project& project) {
  const Caller caller = terminal_caller(options, project);
  const NodesAsked asked = read_nodes_text(options.nodes);
  const HostOptions host = host_options(options);
  const auto machine = lock_of_local_nodes(asked, host, caller);
  const OpenedPlan opened = make_sweep_plan(project, project.out / "sweep-nodes",
                                            node_sweep_options(options, shards_of(options, asked)), caller);
  const Project planned = project_of_plan(opened, project.out);
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const NodeSweep swept = sweep_on_nodes({planned, measure, any_host, caller}, opened, {asked, host, own_command()});
  tell_all(caller, swept.notices);
  return show_sweep(options, planned, swept.sweep, caller.interrupted);
}

}  // namespace stepgate
