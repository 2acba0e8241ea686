#include "baseline/history/case_renames.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/error.h"

namespace stepgate {
namespace {

/// Old name -> name of today, through any number of renames.
std::map<std::string, std::string> final_names(const std::vector<HistoryRename>& renames, const std::string& source) {
  std::map<std::string, std::string> next;
  for (const HistoryRename& rename : renames) {
    if (next.emplace(rename.from, rename.to).second) continue;
    throw Error(ErrorKind::usage, fmt::format("{}: {} is renamed twice", source, rename.from), "keep one of the two");
  }
  std::map<std::string, std::string> last;
  for (const auto& [from, to] : next) {
    std::string name = to;
    for (std::size_t hops = 0; next.contains(name); ++hops) {
      if (hops == next.size())
        throw Error(ErrorKind::usage, fmt::format("{}: the renames of {} lead in a circle", source, from),
                    "remove one of them");
      name = next.at(name);
    }
    last[from] = name;
  }
  return last;
}

void rename_cases(const std::map<std::string, std::string>& names, HistorySession& session, const std::string& source) {
  std::set<std::string> taken;
  for (HistoryCase& one : session.cases) {
    if (const auto at = names.find(one.name); at != names.end()) one.name = at->second;
    if (taken.insert(one.name).second) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: two cases of {} would have the name {}", source, session.file, one.name),
                "a rename is for a case that is gone: remove this one");
  }
}

}  // namespace

void apply_renames(const std::vector<HistoryRename>& renames, const std::string& source, History& history) {
  const std::map<std::string, std::string> names = final_names(renames, source);
  for (HistorySession& session : history.sessions) rename_cases(names, session, source);
  for (Acknowledgement& one : history.acknowledged) {
    const std::size_t end = one.series.rfind(':');  // the name of an imported case may have one too
    if (end == std::string::npos) continue;
    if (const auto at = names.find(one.series.substr(0, end)); at != names.end())
      one.series.replace(0, end, at->second);
  }
}

}  // namespace stepgate
