#include "cli/commands/command_ab.h"

#include "cli/options/groups/nodes.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/study_parts.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "experiment/plan/nodes_text.h"

namespace stepgate {
namespace {

constexpr std::string_view ab_name = "ab";

void need_losses(const AbCommand& o) {
  if (o.run.tier != TierChoice::timed) return;
  throw Error(ErrorKind::usage, "--seeds compares losses, and --tier timed measures none",
              "leave out --tier, or give --tier exact");
}

void need_seeds(const AbCommand& o) {
  if (o.seeds) return;
  throw Error(ErrorKind::usage, "--seed-steps has no effect without --seeds", "add --seeds 8");
}

void refuse_beside_nodes(const AbCommand& o) {
  read_nodes_text(o.nodes);
  if (o.seeds) {
    throw Error(ErrorKind::usage, "--seeds trains on one machine, and --nodes names several", "leave out one of them");
  }
  if (o.run.limits.no_explain) {
    throw Error(ErrorKind::usage, "--no-explain has no effect with --nodes, which never looks for lines",
                "leave out --no-explain");
  }
}

/// The nodes and the seeds of a comparison know no emulated GPU.
void refuse_beside_device(const AbCommand& o) {
  if (!o.nodes.empty()) {
    throw Error(ErrorKind::usage, "--device emulated runs on this machine, and --nodes names several",
                "leave out one of them");
  }
  if (o.seeds) {
    throw Error(ErrorKind::usage, "--seeds compares losses, and the kernels of an emulated GPU compute none",
                "leave out one of them");
  }
}

RepeatedOptions repeated_by(const AbCommand& o) {
  RepeatedOptions repeated = repeated_options(o.run);
  repeated.seeds = o.seeds;
  repeated.seed_steps = o.seed_steps;
  return repeated;
}

}  // namespace

OptionRows rows_of(AbCommand& o) {
  OptionRows rows =
      joined({rows_of(o.run, ab_name),
              {{Topic::pairs, "seeds", "N", "", "also train both builds from N seeds and compare their final losses",
                count_into(o.seeds, CountRange{.least = fewest_training_seeds(), .most = 1000})},
               {Topic::pairs, "seed-steps", "N", "", "with --seeds: steps of each of these runs (default 200)",
                count_into(o.seed_steps, CountRange{.least = fewest_training_steps(), .most = 1'000'000})}},
              {nodes_row(o.nodes), shards_row(o.shards), layout_row(o.layout), mixed_nodes_row(o.mixed_nodes)}});
  add_need(rows, {"seeds"}, [&o] { need_losses(o); });
  add_need(rows, {"seed-steps"}, [&o] { need_seeds(o); });
  add_need(rows, {"nodes"}, [&o] { refuse_beside_nodes(o); });
  add_need(rows, {"device"}, [&o] { refuse_beside_device(o); });
  add_need(rows, {"shards", "layout", "mixed-nodes"}, [&o] { need_many_nodes(o.nodes); });
  return rows;
}

int command_ab(const AbCommand& o) {
  refuse_no_history(o.run.output);
  const Project project = read_project(project_options(o.run));
  const Caller caller = terminal_caller(o.run.quiet, repeated_by(o), project);
  const JudgedRun judged = o.nodes.empty() ? run_ab(project, ab_options(o), caller) : ab_on_nodes(o, project, caller);
  return finish({o.run.output, o.run.judging, project, o.run.quiet}, judged);
}

}  // namespace stepgate
