#include "baseline/leftovers.h"

#include <fmt/format.h>

#include <algorithm>

#include "baseline/pending.h"
#include "core/text/commit_text.h"
#include "core/text/utc_time.h"

namespace stepgate {
namespace {

constexpr std::int64_t longest_case_s = 3600;

}  // namespace

std::vector<PendingFile> read_pending(const std::vector<std::filesystem::path>& files) {
  std::vector<PendingFile> found;
  for (const auto& file : files) {
    const Baseline baseline = read_pending_file(file);
    found.push_back({.path = file,
                     .case_name = baseline.case_name,
                     .runner_class = file_label(baseline),
                     .unix_s = unix_seconds(baseline.provenance.utc).value_or(0),
                     .commit = baseline.provenance.commit,
                     .options = baseline.provenance.options});
  }
  return found;
}

std::vector<PendingFile> leftovers(std::vector<PendingFile> files) {
  std::stable_sort(files.begin(), files.end(),
                   [](const PendingFile& a, const PendingFile& b) { return a.unix_s > b.unix_s; });
  const auto first =
      std::adjacent_find(files.begin(), files.end(), [](const PendingFile& newer, const PendingFile& older) {
        return older.commit != newer.commit || newer.unix_s - older.unix_s >= longest_case_s;
      });
  if (first == files.end()) return {};
  return {first + 1, files.end()};
}

std::string describe(const PendingFile& file, std::int64_t now_unix_s) {
  std::string text = fmt::format("{} ({})", file.case_name, file.runner_class);
  if (file.unix_s > 0) text += ", " + age_text(now_unix_s - file.unix_s);
  if (!file.commit.empty()) text += ", commit " + short_commit(file.commit);
  if (!file.options.empty()) text += ", " + file.options;
  return text;
}

}  // namespace stepgate
