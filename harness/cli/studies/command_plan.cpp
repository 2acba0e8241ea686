#include "cli/studies/command_plan.h"

#include "cli/options/groups/cases.h"
#include "cli/options/groups/nodes.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/options/groups/table_style.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "experiment/nodes/plan/make_plan.h"
#include "experiment/nodes/plan/make_sweep_plan.h"

namespace stepgate {
namespace {

constexpr std::string_view plan_ab_name = "plan ab";

void print_plan(const std::filesystem::path& folder, const std::string& what, std::int64_t shards) {
  print_line(stdout, "{}: {} over {}", folder.string(), what, counted(shards, "shard"));
  print_line(stdout, "on each machine: stepgate shard run {} N; then: stepgate merge {}", folder.string(),
             folder.string());
}

NodePlanOptions plan_options(const PlanAbCommand& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.tier = o.tier;
  measure.exact_replicates = o.exact_replicates;
  return {.ab = {.selection = {.names = o.arguments, .globs = o.filters},
                 .measure = std::move(measure),
                 .host = host_options(o.machine),
                 .pairs = pair_options(o.places.base_build, o.pairs, {})},
          .shards = o.shards.value_or(1),
          .mixed_nodes = o.mixed_nodes,
          .layout = o.layout};
}

NodeSweepOptions plan_options(const PlanSweepCommand& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.timed_replicates = o.replicates;
  return {.sweep = {.case_name = one_case(o.arguments, "plan sweep", "stepgate sweep CASE --vary batch_size=4,8,16"),
                    .parameters = o.swept.vary,
                    .metric = ranking_metric(o.swept),
                    .measure = std::move(measure),
                    .host = host_options(o.machine)},
          .shards = o.shards.value_or(1),
          .mixed_nodes = o.mixed_nodes};
}

RepeatedOptions repeated_by(const PlanAbCommand& o) {
  RepeatedOptions repeated = repeated_options(o.places.measured, o.measuring);
  repeated.baseline_root = o.places.baseline_root;
  repeated.base_build = o.places.base_build;
  repeated.exact_replicates = o.exact_replicates;
  return repeated;
}

RepeatedOptions repeated_by(const PlanSweepCommand& o) {
  RepeatedOptions repeated = repeated_options(o.places, o.measuring);
  repeated.replicates = o.replicates;
  return repeated;
}

}  // namespace

OptionRows rows_of(PlanAbCommand& o) {
  return joined({rows_of(o.places),
                 {filter_row(o.filters), tier_row(o.tier), exact_replicates_row(o.exact_replicates)},
                 rows_of(o.measuring),
                 rows_of(o.machine),
                 rows_of(o.pairs, plan_ab_name),
                 {shards_row(o.shards), layout_row(o.layout), mixed_nodes_row(o.mixed_nodes), quiet_row(o.quiet)}});
}

int command_plan_ab(const PlanAbCommand& o) {
  const Project project = read_project(project_options(o.places));
  const Caller caller = terminal_caller(o.quiet, repeated_by(o), project);
  const auto folder = o.places.measured.out.empty() ? project.out / "plan" : o.places.measured.out;
  const MadePlan made = make_node_plan(project, folder, plan_options(o), caller);
  print_plan(folder, counted(made.opened.plan.cases.size(), "case"), made.opened.plan.shards);
  return 0;
}

OptionRows rows_of(PlanSweepCommand& o) {
  return joined({rows_of(o.places),
                 {replicates_row(o.replicates)},
                 rows_of(o.measuring),
                 rows_of(o.machine),
                 rows_of(o.swept),
                 {shards_row(o.shards), mixed_nodes_row(o.mixed_nodes), quiet_row(o.quiet)}});
}

int command_plan_sweep(const PlanSweepCommand& o) {
  const Project project = read_project(project_options(o.places));
  const Caller caller = terminal_caller(o.quiet, repeated_by(o), project);
  const auto folder = o.places.out.empty() ? project.out / "plan" : o.places.out;
  const OpenedPlan made = make_sweep_plan(project, folder, plan_options(o), caller);
  print_plan(folder, counted(made.plan.cases.front().tries, "round"), made.plan.shards);
  return 0;
}

}  // namespace stepgate
