#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/context.h"
#include "experiment/quiet_host.h"
#include "experiment/selection.h"
#include "experiment/sweeping.h"
#include "json/results/sweep_json.h"
#include "judge/studies/sweep_ranking.h"
#include "report/studies/sweep_plot.h"
#include "report/studies/sweep_report.h"
#include "system/file.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

ManifestCase case_to_sweep(const Context& context) {
  if (context.options.arguments.size() != 1) {
    throw Error(ErrorKind::usage, fmt::format("sweep takes one case, found {}", context.options.arguments.size()),
                "stepgate sweep CASE --vary batch_size=4,8,16");
  }
  ManifestCase entry = select_cases(context.manifest, context.options.arguments, {}).front();
  if (!entry.benchmark.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} cannot be swept: it is a plain Google Benchmark program, without parameters", entry.name),
        "sweep a case of a perftest program; stepgate list names them");
  }
  return entry;
}

/// Settings are ranked by ratios, so only what is a positive quantity with a better side will do.
const Metric& the_metric(const Options& options) {
  std::vector<std::string_view> known;
  for (const Metric& metric : metric_catalogue()) {
    const bool ranks = metric.tier == Tier::timed && metric.unit != "ratio" && metric.direction != Direction::neither;
    if (ranks && metric.name == options.metric) return metric;
    if (ranks) known.push_back(metric.name);
  }
  const auto near = nearest_name(options.metric, known);
  throw Error(
      ErrorKind::usage, fmt::format("--metric: '{}' cannot rank settings", options.metric),
      (near ? fmt::format("did you mean '{}'? ", *near) : "") + fmt::format("one of: {}", fmt::join(known, ", ")));
}

SweepRules rules_for(const Context& context, const ManifestCase& entry, const Metric& metric) {
  const Policy policy = read_policy(context, entry.suite);
  const auto own = policy.metric_margins.find(std::string(metric.name));
  return {.direction = metric.direction,
          .margins = own == policy.metric_margins.end() ? policy.margins : own->second,
          .level = 0.95};  // 1 - alpha: docs/design/verdicts.md, "Error budget"
}

}  // namespace

int command_sweep(const Options& options) {
  Context context = read_context(options);
  refuse_debug_build(context.manifest);
  ManifestCase entry = case_to_sweep(context);
  const SweepRules rules = rules_for(context, entry, the_metric(options));
  const std::atomic<int>& interrupted = watch_for_interrupts();
  entry.cpus = sweep_cpus(context, entry);  // all settings have the same CPUs
  const QuietHost quiet(context, {entry});
  Sweep sweep = measure_sweep(context, entry, interrupted);
  sweep.ranking = rank_settings(sweep.parameters, sweep.settings, rules);
  const auto folder = sweep_folder(context, entry.name);
  const std::string document = to_text(sweep);
  write_file_atomically(folder / "sweep.json", document);
  write_file_atomically(folder / "sweep.svg", render_sweep_plot(sweep));
  fmt::print("{}", options.json ? document : render_sweep(sweep, console_style(options)));
  fmt::print(stderr, "stepgate: {} and {}\n", (folder / "sweep.json").string(), (folder / "sweep.svg").string());
  if (const int number = interrupted.load(); number != 0) return 128 + number;
  const bool ranked = std::any_of(sweep.ranking.ranks.begin(), sweep.ranking.ranks.end(),
                                  [](const SettingRank& rank) { return rank.standing != Standing::not_ranked; });
  return ranked ? 0 : 3;
}

}  // namespace stepgate
