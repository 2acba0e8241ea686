#include "cli/commands/command_nodes.h"
#include "cli/commands/commands.h"
#include "cli/commands/saved_law_view.h"
#include "cli/commands/sweep_view.h"
#include "cli/options/experiment_options.h"
#include "cli/terminal.h"

namespace stepgate {

int command_sweep(const Options& options) {
  if (!options.law.empty()) return show_saved_law(options);
  const Project project = read_project(project_options(options));
  if (!options.nodes.empty()) return run_sweep_on_nodes(options, project);
  const SweepOptions asked = sweep_options(options);
  const Caller caller = terminal_caller(options, project);
  const Sweep sweep = run_sweep(project, asked, caller);
  return show_sweep(options, project, sweep, caller.interrupted);
}

}  // namespace stepgate
