#include "experiment/plan/selection.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

std::string remedy(const std::optional<std::string_view>& near) {
  const std::string all = "all cases: stepgate list, with the same --build";
  return near ? fmt::format("did you mean '{}'? {}", *near, all) : all;
}

void refuse_unknown(const Manifest& manifest, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const ManifestCase& entry : manifest.cases) known.emplace_back(entry.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("unknown case '{}' ({} has {})", excerpt(name), manifest.path.string(),
                            counted(known.size(), "case")),
                remedy(nearest_name(name, known)));
  }
}

}  // namespace

std::vector<ManifestCase> select_cases(const Manifest& manifest, const Selection& selection) {
  const std::vector<std::string>& names = selection.names;
  const std::vector<std::string>& globs = selection.globs;
  refuse_unknown(manifest, names);
  const auto is_named = [&names](const ManifestCase& entry) {
    return names.empty() || std::find(names.begin(), names.end(), entry.name) != names.end();
  };
  const auto is_matched = [&globs](const ManifestCase& entry) {
    return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
             return fnmatch(glob.c_str(), entry.name.c_str(), 0) == 0;
           });
  };
  std::vector<ManifestCase> selected;
  for (const ManifestCase& entry : manifest.cases) {
    if (is_named(entry) && is_matched(entry)) selected.push_back(entry);
  }
  if (selected.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("no case matches --filter '{}' ({} has {})", excerpt(fmt::format("{}", fmt::join(globs, "' '"))),
                    manifest.path.string(), counted(manifest.cases.size(), "case")),
        "all cases: stepgate list, with the same --build");
  return selected;
}

ManifestCase case_named(const Manifest& manifest, const std::string& name) {
  return select_cases(manifest, {.names = {name}}).front();
}

bool has_case(const Manifest& manifest, const std::string& name) {
  return std::any_of(manifest.cases.begin(), manifest.cases.end(),
                     [&](const ManifestCase& entry) { return entry.name == name; });
}

MeasurableCases measurable_cases(const Manifest& manifest, const Selection& selection, TierChoice tier) {
  MeasurableCases found{.cases = select_cases(manifest, selection), .notices = {}};
  if (tier != TierChoice::exact) return found;
  const auto first = std::stable_partition(found.cases.begin(), found.cases.end(),
                                           [](const ManifestCase& entry) { return entry.benchmark.empty(); });
  if (first == found.cases.begin()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no exact half: it is a plain Google Benchmark program", found.cases.front().name),
                "gate its times: --tier timed");
  }
  for (auto entry = first; entry != found.cases.end(); ++entry) {
    found.notices.push_back(
        {Severity::note, fmt::format("{} has no exact half (a plain Google Benchmark program)", entry->name)});
  }
  found.cases.erase(first, found.cases.end());
  return found;
}

}  // namespace stepgate
