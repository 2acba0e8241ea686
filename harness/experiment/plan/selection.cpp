#include "experiment/plan/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

/// Refuses a suite, or the first parts of a name, which people take for a name.
void refuse_first_parts(const Manifest& manifest, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (has_case(manifest, name)) continue;
    const std::string start = name.ends_with('/') ? name : name + "/";
    const auto count = std::count_if(manifest.cases.begin(), manifest.cases.end(),
                                     [&](const ManifestCase& entry) { return entry.name.starts_with(start); });
    if (count == 0) continue;
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is not a case: it begins the names of {}", excerpt(name),
                            counted(static_cast<std::size_t>(count), "case")),
                fmt::format("all of them: --filter '{}*'; all cases: stepgate list, with the same --build", start));
  }
}

/// Why a case has nothing of a half.
struct Lack {
  bool (*has)(const ManifestCase& entry);
  std::string_view what;  ///< behind the case's name
  std::string_view why;
  std::string_view remedy;
};

constexpr Lack no_exact_half = {[](const ManifestCase& entry) { return entry.benchmark.empty(); }, "has no exact half",
                                "a plain Google Benchmark program", "gate its times: --tier timed"};
constexpr Lack no_gated_times = {
    [](const ManifestCase& entry) { return entry.gates_times; }, "has no gated times",
    "declared TIERS exact: its times are compared by pairs of two builds only",
    "compare two builds: stepgate ab CASE --base-build DIR; or gate its exact half: --tier exact"};

/// In a suite such cases are left out with a notice; a single one that was named is an error.
void leave_out(MeasurableCases& found, const Lack& lack) {
  const auto first = std::stable_partition(found.cases.begin(), found.cases.end(), lack.has);
  if (first == found.cases.begin()) {
    throw Error(ErrorKind::usage, fmt::format("{} {}: it is {}", found.cases.front().name, lack.what, lack.why),
                std::string(lack.remedy));
  }
  for (auto entry = first; entry != found.cases.end(); ++entry)
    found.notices.push_back({Severity::note, fmt::format("{} {} ({})", entry->name, lack.what, lack.why)});
  found.cases.erase(first, found.cases.end());
}

}  // namespace

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

std::vector<ManifestCase> select_cases(const Manifest& manifest, const Selection& selection) {
  const std::vector<std::string>& names = selection.names;
  const std::vector<std::string>& globs = selection.globs;
  refuse_first_parts(manifest, names);
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
  refuse_unknown(manifest, {name});
  return *std::find_if(manifest.cases.begin(), manifest.cases.end(),
                       [&](const ManifestCase& entry) { return entry.name == name; });
}

bool has_case(const Manifest& manifest, const std::string& name) {
  return std::any_of(manifest.cases.begin(), manifest.cases.end(),
                     [&](const ManifestCase& entry) { return entry.name == name; });
}

MeasurableCases measurable_cases(const Manifest& manifest, const Selection& selection, TierChoice half) {
  MeasurableCases found{.cases = select_cases(manifest, selection), .notices = {}};
  if (half == TierChoice::exact) leave_out(found, no_exact_half);
  return found;
}

MeasurableCases gated_cases(const Manifest& manifest, const Selection& selection, TierChoice half) {
  MeasurableCases found = measurable_cases(manifest, selection, half);
  if (half == TierChoice::timed) leave_out(found, no_gated_times);
  return found;
}

TierChoice gated_half(TierChoice asked, const ManifestCase& entry) {
  return asked == TierChoice::all && !entry.gates_times ? TierChoice::exact : asked;
}

}  // namespace stepgate
