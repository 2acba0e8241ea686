#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/ablating.h"
#include "experiment/selection.h"
#include "json/results/ablation_json.h"
#include "judge/studies/ablation_verdict.h"
#include "report/studies/ablation_report.h"
#include "stats/summary.h"
#include "system/file.h"

namespace stepgate {
namespace {

ManifestCase case_to_ablate(const Context& context) {
  if (context.options.arguments.size() != 1) {
    throw Error(ErrorKind::usage, fmt::format("ablate takes one case, found {}", context.options.arguments.size()),
                "stepgate ablate CASE; stepgate list names them");
  }
  ManifestCase entry = select_cases(context.manifest, context.options.arguments, {}).front();
  if (!entry.benchmark.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is a plain Google Benchmark program, whose steps are not seen", entry.name),
                "ablate a case of a perftest program; stepgate list names them");
  }
  return entry;
}

/// What the policy may hold as quiet on this kind of machine; a fixed figure would misfire.
void print_calibration(const std::vector<double>& waits) {
  constexpr std::size_t fewest = 12;  // the default's pairs of one whole mode
  if (waits.size() < fewest) return;
  fmt::print(
      "\nrun-queue wait of {} processes under a whole mode: median {:.2f} %, 99th percentile {:.2f} %.\n"
      "  if nothing else ran meanwhile, that is quiet here: \"taint_limits\": {{\"runqueue_wait_fraction\": {:.3f}}}\n",
      waits.size(), 100 * median(waits), 100 * quantile(waits, 0.99), quantile(waits, 0.99));
}

}  // namespace

int command_ablate(const Options& options) {
  Context context = read_context(options);
  refuse_debug_build(context.manifest);
  context.options.tier = "timed";
  const ManifestCase entry = case_to_ablate(context);
  const std::atomic<int>& interrupted = watch_for_interrupts();
  Context plain = context;
  plain.options.guard = "process";  // single knobs are set pair by pair
  QuietHost host(plain, {entry});
  context.guard = plain.guard;
  context.gpu = plain.gpu;
  context.guard.off.clear();
  AblationMeasured measured = measure_ablation(context, entry, host, interrupted);
  decide_ablation({}, measured.ablation);
  const auto file = context.options.out / "ablate" / entry.name / "ablation.json";
  const std::string document = to_text(measured.ablation);
  write_file_atomically(file, document);
  fmt::print("{}", options.json ? document : render_ablation(measured.ablation, console_style(options)));
  if (!options.json) print_calibration(measured.quiet_waits);
  fmt::print(stderr, "stepgate: {}\n", file.string());
  if (const int number = interrupted.load(); number != 0) return 128 + number;
  const bool any = std::any_of(measured.ablation.knobs.begin(), measured.ablation.knobs.end(),
                               [](const AblatedKnob& knob) { return !knob.pairs.empty(); });
  return any ? 0 : 3;
}

}  // namespace stepgate
