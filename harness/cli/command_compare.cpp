#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/publish.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/comparing.h"
#include "experiment/result_files.h"
#include "experiment/selection.h"

namespace stepgate {
namespace {

void require_two_words(const Options& options) {
  if (options.arguments.size() == 2) return;
  throw Error(ErrorKind::usage, fmt::format("compare takes two measurements, found {}", options.arguments.size()),
              "stepgate compare BEFORE AFTER: measurement.json files, or folders of results");
}

std::vector<ManifestCase> chosen_cases(const Context& context, const std::vector<MeasuredTwice>& all) {
  std::vector<std::string> names;
  for (const MeasuredTwice& twice : all) names.push_back(twice.head.case_name);
  return select_cases(context.manifest, names, context.options.filters);
}

}  // namespace

int command_compare(const Options& options) {
  require_two_words(options);
  const auto all = measured_twice(options);
  Context context = context_without_build(options, all);
  std::vector<Outcome> outcomes;
  std::set<std::string> commits;
  for (const ManifestCase& entry : chosen_cases(context, all)) {
    for (const MeasuredTwice& twice : all) {
      if (twice.head.case_name != entry.name) continue;
      context.options.tier = twice.tier;
      commits.insert(twice.head.commit);
      outcomes.push_back(compare_measurements(context, entry, twice));
    }
  }
  context.commit = one_commit(commits);
  const RunReport report = report_of(context, std::move(outcomes));
  show(context, report);
  publish(context, report);
  return status_for_caller(options, report);
}

}  // namespace stepgate
