#include "experiment/selection.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "core/error.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

std::string remedy(const std::optional<std::string_view>& near) {
  const std::string all = "all cases: stepgate list";
  return near ? fmt::format("did you mean '{}'? {}", *near, all) : all;
}

void refuse_unknown(const Manifest& manifest, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const ManifestCase& entry : manifest.cases) known.emplace_back(entry.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("unknown case '{}' ({} has {} cases)", name, manifest.path.string(), known.size()),
                remedy(nearest_name(name, known)));
  }
}

}  // namespace

std::vector<ManifestCase> select_cases(const Manifest& manifest, const std::vector<std::string>& names,
                                       const std::vector<std::string>& globs) {
  refuse_unknown(manifest, names);
  std::vector<ManifestCase> selected;
  for (const ManifestCase& entry : manifest.cases) {
    const bool named = names.empty() || std::find(names.begin(), names.end(), entry.name) != names.end();
    const bool globbed = globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
                           return fnmatch(glob.c_str(), entry.name.c_str(), 0) == 0;
                         });
    if (named && globbed) selected.push_back(entry);
  }
  if (selected.empty())
    throw Error(ErrorKind::usage,
                fmt::format("no case matches --filter '{}' ({} has {} cases)", fmt::join(globs, "' '"),
                            manifest.path.string(), manifest.cases.size()),
                "all cases: stepgate list");
  return selected;
}

bool has_case(const Manifest& manifest, const std::string& name) {
  return std::any_of(manifest.cases.begin(), manifest.cases.end(),
                     [&](const ManifestCase& entry) { return entry.name == name; });
}

}  // namespace stepgate
