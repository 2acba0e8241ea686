#include "cli/studies/command_sweep.h"

#include "cli/command_texts.h"
#include "cli/options/groups/cases.h"
#include "cli/options/groups/nodes.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/studies/views/saved_law_view.h"
#include "cli/studies/views/sweep_view.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "experiment/nodes/node_engines.h"
#include "experiment/nodes/plan/make_sweep_plan.h"
#include "experiment/nodes/planned_run.h"

namespace stepgate {
namespace {

/// More than any machine has.
constexpr std::int64_t most_memory_bytes = 1'000'000'000'000'000;

void refuse_beside_law(const SweepCommand& o) {
  if (!o.output.json) return;
  throw Error(ErrorKind::usage, "--law writes no JSON", "leave out --json: the run records hold every value");
}

void need_law(const SweepCommand& o) {
  if (o.law) return;
  throw Error(ErrorKind::usage, "--memory and --most-growth have no effect without --law", "add --law saved_bytes");
}

void refuse_law_on_nodes(const SweepCommand& o) {
  read_nodes_text(o.nodes);
  if (!o.law) return;
  throw Error(ErrorKind::usage,
              "--law counts bytes, which one machine does as well as several, and --nodes names several",
              "leave out --nodes");
}

void need_ranking_on_page(const SweepCommand& o) {
  if (o.law) refuse_page();
}

MeasureOptions swept_measure(const SweepCommand& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.timed_replicates = o.replicates;
  return measure;
}

SavedLawOptions saved_law_options(const SweepCommand& o) {
  return {.case_name = one_case(o.arguments, "sweep", "stepgate sweep CASE --vary batch_size=4,8 --law saved_bytes"),
          .parameters = o.swept.vary,
          .measure = swept_measure(o),
          .host = host_options(o.machine)};
}

/// Plans, submits, waits and merges.
int sweep_over_nodes(const SweepCommand& o, const Project& project, const Caller& caller) {
  const NodesAsked asked = read_nodes_text(o.nodes);
  const HostOptions host = host_options(o.machine);
  const auto machine = lock_of_local_nodes(asked, host, caller);
  const OpenedPlan opened = make_sweep_plan(
      project, project.out / "sweep-nodes",
      {.sweep = sweep_options(o), .shards = shards_of(asked, o.shards), .mixed_nodes = o.mixed_nodes}, caller);
  const Project planned = project_of_plan(opened, project.out);
  const MeasureOptions measure = measure_options_of(opened.plan);
  const MeasuredHost any_host;
  const NodeSweep swept = sweep_on_nodes({planned, measure, any_host, caller}, opened, {asked, host, own_command()});
  for (const Notice& notice : swept.notices) caller.observer.on_notice(notice);
  return show_sweep(o.output, planned, swept.sweep, caller.interrupted);
}

OptionRows law_rows(SweepCommand& o) {
  return {
      {Topic::pairs, "law", "saved_bytes", "",
       "instead of a ranking: how the bytes saved for backward grow with length, exactly",
       choice_into(o.law, "saved_bytes",
                   [](std::string_view name) { return name == "saved_bytes" ? std::optional(true) : std::nullopt; })},
      {Topic::pairs, "memory", "BYTES", "", "with --law: the largest batch whose saved bytes fit in so much",
       count_into(o.memory_bytes, CountRange{.least = 1, .most = most_memory_bytes})},
      {Topic::pairs, "most-growth", "N", "",
       "with --law: exit status 1 where saved bytes per token grow by more than N per token of length",
       count_into(o.most_growth, CountRange{.least = 0, .most = most_memory_bytes})},
  };
}

}  // namespace

SweepOptions sweep_options(const SweepCommand& o) {
  return {.case_name = one_case(o.arguments, "sweep", "stepgate sweep CASE --vary batch_size=4,8,16"),
          .parameters = o.swept.vary,
          .metric = ranking_metric(o.swept),
          .measure = swept_measure(o),
          .host = host_options(o.machine)};
}

OptionRows rows_of(SweepCommand& o) {
  OptionRows rows = joined({rows_of(o.places),
                            {replicates_row(o.replicates)},
                            rows_of(o.measuring),
                            rows_of(o.machine),
                            rows_of(o.swept),
                            law_rows(o),
                            {nodes_row(o.nodes), shards_row(o.shards), mixed_nodes_row(o.mixed_nodes)},
                            rows_of(o.output)});
  add_need(rows, {"law"}, [&o] { refuse_beside_law(o); });
  add_need(rows, {"memory", "most-growth"}, [&o] { need_law(o); });
  add_need(rows, {"nodes"}, [&o] { refuse_law_on_nodes(o); });
  add_need(rows, {"shards", "mixed-nodes"}, [&o] { need_many_nodes(o.nodes); });
  add_need(rows, {"html"}, [&o] { need_ranking_on_page(o); });
  return rows;
}

int command_sweep(const SweepCommand& o) {
  const Project project = read_project(project_options(o.places));
  RepeatedOptions repeated = repeated_options(o.places, o.measuring);
  repeated.replicates = o.replicates;
  if (o.law) {
    const SavedLawOptions asked = saved_law_options(o);
    const Caller caller = terminal_caller(o.output.quiet, repeated, project);
    const SavedLawStudy study = find_saved_law(project, asked, caller);
    return show_saved_law(study, {.memory_bytes = o.memory_bytes, .most_growth = o.most_growth}, o.output,
                          caller.interrupted);
  }
  if (!o.nodes.empty()) return sweep_over_nodes(o, project, terminal_caller(o.output.quiet, repeated, project));
  const SweepOptions asked = sweep_options(o);
  const Caller caller = terminal_caller(o.output.quiet, repeated, project);
  const Sweep sweep = run_sweep(project, asked, caller);
  return show_sweep(o.output, project, sweep, caller.interrupted);
}

}  // namespace stepgate
