#include "experiment/results/result_folders.h"

#include <map>
#include <string_view>

#include "core/error.h"
#include "core/verdict/run_report.h"
#include "json/results/run_report_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// False for a run that did not end, and for a file that no run wrote.
bool has_outcome(const fs::path& verdict) {
  try {
    return !run_report_from_text(read_text_file(verdict), verdict.string()).outcomes.empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

fs::path folder_of(const Project& project, const ResultName& name) {
  return project.out / name.case_name / name_of(name.kind);
}

std::vector<std::vector<std::size_t>> positions_by_case(const std::vector<ResultName>& names) {
  std::vector<std::vector<std::size_t>> cases;
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, is_new] = known.emplace(names[i].case_name, cases.size());
    if (is_new) cases.emplace_back();
    cases[found->second].push_back(i);
  }
  return cases;
}

fs::path comparison_folder(const Project& project) { return project.out / "ab"; }

void set_verdict_aside(const Caller& caller, const fs::path& folder) {
  caller.observer.on_set_aside(folder);
  const fs::path verdict = folder / "verdict.json";
  if (!fs::exists(fs::symlink_status(verdict))) return;
  if (has_outcome(verdict)) {
    move_file(verdict, folder / "previous-verdict.json");
  } else {
    fs::remove(verdict);
  }
}

}  // namespace stepgate
