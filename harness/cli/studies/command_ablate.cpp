#include "cli/studies/command_ablate.h"

#include <algorithm>

#include "cli/options/groups/cases.h"
#include "cli/options/groups/pairs.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
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

AblationOptions ablation_options(const AblateCommand& o) {
  return {.case_name = one_case(o.arguments, "ablate", "stepgate ablate CASE; stepgate list names them"),
          .measure = measure_options(o.measuring),
          .host = host_options(o.machine),
          .pairs = o.pairs.value_or(default_ablation_pairs),
          .order_seed = o.order_seed};
}

OptionRows rows_of(AblateCommand& o) {
  return joined({rows_of(o.places),
                 rows_of(o.measuring),
                 rows_of(o.machine),
                 {pairs_row(o.pairs), order_seed_row(o.order_seed)},
                 rows_of(o.output)});
}

int command_ablate(const AblateCommand& o) {
  const Project project = read_project(project_options(o.places));
  const AblationOptions asked = ablation_options(o);
  const Caller caller = terminal_caller(o.output.quiet, repeated_options(o.places, o.measuring), project);
  const AblationResult result = run_ablation(project, asked, caller);
  clear_progress_line(o.output.quiet);
  const Ablation& ablation = result.ablation;
  if (o.output.json) {
    print_json(to_text(ablation));
  } else {
    print_page(stdout, render_ablation(ablation, console_style(o.output.style)), console_style(o.output.style));
  }
  if (!o.output.json && result.quiet_waits) print_quiet_waits(*result.quiet_waits);
  if (!o.output.html.empty()) write_page(o.output.html, ablation_page(ablation));
  print_message(stderr, result.file.string(), "");
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  const bool any = std::any_of(ablation.knobs.begin(), ablation.knobs.end(),
                               [](const AblatedKnob& knob) { return !knob.pairs.empty(); });
  return any ? 0 : 3;
}

}  // namespace stepgate
