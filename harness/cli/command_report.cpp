#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/memory_view.h"
#include "cli/publish.h"
#include "cli/show.h"
#include "experiment/context.h"
#include "experiment/result_files.h"

namespace stepgate {
namespace {

/// Cases of the manifest without a verdict since the suite began.
std::vector<std::string> not_measured(const Context& context, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> missing;
  for (const ManifestCase& entry : context.manifest.cases) {
    const bool found = std::any_of(outcomes.begin(), outcomes.end(),
                                   [&](const Outcome& outcome) { return outcome.verdict.case_name == entry.name; });
    if (!found) missing.push_back(entry.name);
  }
  return missing;
}

}  // namespace

int command_report(const Options& options) {
  const Context context = read_context(options);
  if (options.ledger || !options.timeline.empty()) return show_memory(context);
  if (options.begin) {
    begin_suite(context);
    fmt::print("suite started {}: {} cases expected\n", context.start.utc, context.manifest.cases.size());
    return 0;
  }
  StoredOutcomes stored = read_outcomes(context);
  const bool nothing = stored.outcomes.empty();
  RunReport report = report_of(context, std::move(stored.outcomes));
  report.commit = nothing ? context.commit : one_commit(stored.commits);
  for (const ManifestCase& entry : context.manifest.cases) report.expected_cases.push_back(entry.name);
  report.missing_cases = not_measured(context, report.outcomes);
  write_report(options.out, report);
  show(context, report);
  publish(context, report);
  if (!options.expect_all) return nothing ? 3 : status_for_caller(options, report);
  // The cases' own tests carry their verdicts; this one only says whether all of them ran. A filtered run is
  // "skipped", never a pass, and a failure where the runner must measure everything.
  if (report.missing_cases.empty()) return 0;
  return options.require_baseline || nothing ? 3 : 77;
}

}  // namespace stepgate
