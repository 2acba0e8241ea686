#include "cli/commands/command_nodes.h"
#include "cli/commands/commands.h"
#include "cli/options/experiment_options.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"

namespace stepgate {

int command_ab(const Options& options) {
  refuse_no_history(options);
  const Project project = read_project(project_options(options));
  if (!options.nodes.empty()) return run_ab_on_nodes(options, project);
  return finish(options, run_ab(project, ab_options(options), terminal_caller(options, project)));
}

}  // namespace stepgate
