#include "cli/commands/commands.h"
#include "cli/options/experiment_options.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"

namespace stepgate {

int command_compare(const Options& options) {
  refuse_no_history(options);
  const ComparisonOptions files = comparison_options(options);
  const Project project = project_at_hand(project_options(options));
  return finish(options, compare_measurements(project, files, terminal_caller(options, project)));
}

}  // namespace stepgate
