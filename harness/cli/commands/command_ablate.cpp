#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "json/studies/ablation_json.h"
#include "report/studies/ablation_report.h"
#include "report/study_pages/study_pages.h"

namespace stepgate {
namespace {

void print_quiet_waits(const QuietWaits& waits) {
  print_line(
      stdout,
      "\nrun-queue wait of {} under a whole mode: median {:.2f} %, 99th percentile {:.2f} %.\n"
      "  if nothing else ran meanwhile, that is quiet here: \"taint_limits\": {{\"runqueue_wait_fraction\": {:.3f}}}",
      counted(waits.processes, "process", "processes"), 100 * waits.median, 100 * waits.high, waits.high);
}

}  // namespace

int command_ablate(const Options& options) {
  const Project project = read_project(project_options(options));
  const AblationOptions asked = ablation_options(options);
  const Caller caller = terminal_caller(options, project);
  const AblationResult result = run_ablation(project, asked, caller);
  clear_progress_line(options);
  const Ablation& ablation = result.ablation;
  if (options.json) {
    print_json(to_text(ablation));
  } else {
    print_page(stdout, render_ablation(ablation, console_style(options)), console_style(options));
  }
  if (!options.json && result.quiet_waits) print_quiet_waits(*result.quiet_waits);
  if (!options.html.empty()) write_page(options, ablation_page(ablation));
  print_message(stderr, result.file.string(), "");
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  const bool any = std::any_of(ablation.knobs.begin(), ablation.knobs.end(),
                               [](const AblatedKnob& knob) { return !knob.pairs.empty(); });
  return any ? 0 : 3;
}

}  // namespace stepgate
