// `plan ab`, `shard run`, `merge`, and `ab --nodes`, which is all three in one.
#include "cli/commands/command_nodes.h"

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/node_engines.h"
#include "experiment/nodes/nodes_text.h"
#include "experiment/nodes/planned_run.h"

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

}  // namespace

int command_plan_ab(const Options& options) {
  const Project project = read_project(project_options(options));
  const Caller caller = terminal_caller(options, project);
  const auto folder = options.out.empty() ? project.out / "plan" : options.out;
  const MadePlan made = make_node_plan(project, folder, node_plan_options(options, std::nullopt), caller);
  print_line(stdout, "{}: {} over {}", folder.string(), counted(made.opened.plan.cases.size(), "case"),
             counted(made.opened.plan.shards, "shard"));
  print_line(stdout, "on each machine: stepgate shard run {} N; then: stepgate merge {}", folder.string(),
             folder.string());
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
  print_line(stdout, "shard {}: {} handed back", asked.shard, counted(end.pairs, "pair"));
  return end.interrupted_by == 0 ? 0 : 128 + end.interrupted_by;
}

int command_merge(const Options& options) {
  refuse_no_history(options);
  OpenedPlan opened = open_plan(plan_argument(options));
  opened.plan.mixed_nodes |= options.mixed_nodes;
  const Project project = project_of_plan(opened, options.out.empty() ? opened.folder / "results" : options.out);
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
  const std::int64_t shards = asked.kind == NodesKind::program ? options.shards.value_or(1) : asked.count;
  const MadePlan made = make_node_plan(project, project.out / "ab-nodes", node_plan_options(options, shards), caller);
  Project planned = project_of_plan(made.opened, project.out);
  planned.start = project.start;
  const MeasureOptions measure = measure_options_of(made.opened.plan);
  const MeasuredHost any_host;
  JudgedRun judged = measure_on_nodes({planned, measure, any_host, caller}, made.opened,
                                      {asked, host_options(options), own_command()});
  judged.notices.insert(judged.notices.begin(), made.notices.begin(), made.notices.end());
  return finish(options, judged);
}

}  // namespace stepgate
