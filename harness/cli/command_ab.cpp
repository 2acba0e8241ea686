#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/publish.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/ab_run.h"
#include "experiment/measuring.h"
#include "experiment/quiet_host.h"
#include "experiment/result_files.h"
#include "experiment/selection.h"

namespace stepgate {
namespace {

/// A plain Google Benchmark program trains nothing that a seed could change.
void refuse_seeds_without_losses(const Options& options, const std::vector<ManifestCase>& cases) {
  if (!options.seeds) return;
  for (const ManifestCase& entry : cases) {
    if (entry.benchmark.empty()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--seeds: {} is a plain Google Benchmark program without losses", entry.name),
                "name the cases that train: stepgate ab CASE --seeds N");
  }
}

/// Says loudly which cases only one of the builds has; returns those that both have.
std::vector<ManifestCase> shared_cases(const Context& head, const Context& base) {
  for (const ManifestCase& entry : base.manifest.cases) {
    if (has_case(head.manifest, entry.name)) continue;
    fmt::print(stderr, "stepgate: {} is only in the base build: removed or renamed, not compared\n", entry.name);
  }
  std::vector<ManifestCase> cases = cases_to_measure(head);
  std::erase_if(cases, [&](const ManifestCase& entry) { return is_new_case(base, entry); });
  if (!cases.empty()) {
    refuse_seeds_without_losses(head.options, cases);
    return cases;
  }
  throw Error(ErrorKind::usage,
              fmt::format("{} has none of the chosen cases: nothing to compare", base.manifest.path.string()),
              "name a case that both builds have: stepgate list --build DIR");
}

Context head_context(const Options& options) {
  if (options.base_build.empty()) {
    throw Error(ErrorKind::usage, "ab needs --base-build",
                "stepgate ab --base-build DIR [--build DIR]; ci/ab REF builds it");
  }
  Context head = read_context(options);
  refuse_debug_build(head.manifest);
  return head;
}

int stopped(const Context& context, int number) {
  fmt::print(stderr,
             "stepgate: stopped by signal {}; finished pairs are kept in {}: the same command goes on with them\n",
             number, context.options.out.string());
  return 128 + number;
}

}  // namespace

int command_ab(const Options& options) {
  Context head = head_context(options);
  const auto unfinished = unfinished_seed(options);
  const std::uint64_t seed = unfinished.value_or(order_seed(head));
  head.options.order_seed = seed;
  AbRun run{head, base_context(head), watch_for_interrupts(), /*decides_bytes=*/true, unfinished.has_value()};
  const auto cases = control_first(shared_cases(head, run.base), seed);
  const QuietHost quiet(head, cases);
  mark_unfinished(head, seed);
  std::vector<Outcome> outcomes;
  for (const ManifestCase& entry : cases) {
    const auto done = run_ab_case(run, entry);
    if (!done) return stopped(head, run.interrupted.load());
    Outcome outcome = judge_ab(head, done->ab, done->measured);
    write_report(done->ab.folder, report_of(head, {outcome}));
    outcomes.push_back(std::move(outcome));
  }
  mark_finished(head);
  const RunReport report = report_of(head, std::move(outcomes));
  show(head, report);
  publish(head, report);
  return status_for_caller(options, report);
}

}  // namespace stepgate
