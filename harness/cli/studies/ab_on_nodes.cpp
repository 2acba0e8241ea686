#include "cli/command_texts.h"
#include "cli/options/groups/nodes.h"
#include "cli/study_parts.h"
#include "experiment/nodes/node_engines.h"
#include "experiment/nodes/plan/make_plan.h"
#include "experiment/nodes/planned_run.h"

namespace stepgate {

JudgedRun ab_on_nodes(const AbCommand& o, const Project& project, const Caller& caller) {
  const AbOptions ab = ab_options(o);
  const NodesAsked asked = read_nodes_text(o.nodes);
  const auto machine = lock_of_local_nodes(asked, ab.host, caller);
  const MadePlan made = make_node_plan(
      project, project.out / "ab-nodes",
      {.ab = ab, .shards = shards_of(asked, o.shards), .mixed_nodes = o.mixed_nodes, .layout = o.layout}, caller);
  Project planned = project_of_plan(made.opened, project.out);
  planned.start = project.start;
  const MeasureOptions measure = measure_options_of(made.opened.plan);
  const MeasuredHost any_host;
  JudgedRun judged =
      compare_on_nodes({planned, measure, any_host, caller}, made.opened, {asked, ab.host, own_command()});
  judged.notices.insert(judged.notices.begin(), made.notices.begin(), made.notices.end());
  return judged;
}

}  // namespace stepgate
