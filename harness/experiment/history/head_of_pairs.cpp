#include "experiment/history/head_of_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>

#include "baseline/baseline_key.h"
#include "core/error.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/stored/history_pairs.h"
#include "experiment/plan/measurement_files.h"
#include "json/stored/ab_plan_json.h"
#include "judge/reduce/reduce_case.h"
#include "launch/staged_builds.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* ab_plan_name = "ab.json";

AbPlan ab_plan_in(const fs::path& ab_folder) {
  const fs::path file = ab_folder / ab_plan_name;
  return ab_plan_from_text(read_text_file(file), file.string());
}

/// Returns ROOT for ROOT/CASE/ab.
fs::path root_of(const fs::path& ab_folder, const std::string& case_name) {
  fs::path root = ab_folder.parent_path();
  for (auto i = std::count(case_name.begin(), case_name.end(), '/'); i >= 0; --i) root = root.parent_path();
  return root;
}

/// The head's files: of the exact half, of what was added to it, and of the pairs, in the order measured.
std::vector<fs::path> head_files(const fs::path& ab_folder) {
  std::vector<fs::path> files;
  for (const char* half : {"exact", "pairs"}) {
    std::error_code none;
    for (fs::recursive_directory_iterator at(ab_folder / half, none), end; !none && at != end; at.increment(none)) {
      const fs::path& file = at->path();
      if (file.filename() == "measurement.json" && file.parent_path().filename() == "head") files.push_back(file);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Nodes of different kinds may measure one plan.
class OneKey {
 public:
  explicit OneKey(const fs::path& ab_folder) : ab_folder_(ab_folder) {}

  void check(const Measurement& measurement) {
    const CaseValues values = case_values(measurement);
    if (values.clean_timed == 0) return;
    const Fingerprint key = runner_key(values.timed_fingerprint);
    if (!key_) key_ = key;
    const auto differing = differences(*key_, key);
    if (differing.empty()) return;
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: its pairs were measured under several keys ({} is '{}' and '{}') and have no common level",
                    ab_folder_.string(), differing.front().key, differing.front().expected, differing.front().found),
        "add results of one kind of machine: stepgate gate, or ab without --mixed-nodes");
  }

 private:
  const fs::path& ab_folder_;
  std::optional<Fingerprint> key_;
};

}  // namespace

std::vector<fs::path> pair_results_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  const auto take = [&](const fs::path& one) {
    if (!fs::exists(one / ab_plan_name)) return;
    if (!fs::exists(root_of(one, ab_plan_in(one).case_name) / "plan.json")) found.push_back(one);
  };
  const fs::path named = (fs::absolute(folder) / "").lexically_normal().parent_path();  // no slash at its end
  take(named);
  for (fs::recursive_directory_iterator at(named, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().filename() == "ab" && at->is_directory(failed)) take(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

HeadOfPairs head_of_pairs(const fs::path& ab_folder) {
  const AbPlan plan = ab_plan_in(ab_folder);
  if (!plan.complete) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the A/B run of {} is not finished", ab_folder.string(), plan.case_name),
                "the same command continues it; add its results then");
  }
  std::optional<Measurement> all;
  OneKey one_key(ab_folder);
  for (const fs::path& file : head_files(ab_folder)) {
    Measurement one = read_measurement(file);
    one_key.check(one);
    if (!all)
      all = std::move(one);
    else
      std::move(one.replicates.begin(), one.replicates.end(), std::back_inserter(all->replicates));
  }
  if (!all) {
    throw Error(ErrorKind::usage, fmt::format("{} holds no measurement of the head build", ab_folder.string()),
                "measure again: stepgate ab --base-build DIR " + plan.case_name);
  }
  // Where a waiting side was busy, those that count were measured one after the other.
  const bool alternated =
      plan.alternating_windows && std::none_of(all->replicates.begin(), all->replicates.end(),
                                               [](const Replicate& replicate) { return !replicate.set_aside.empty(); });
  return {std::move(*all), std::string(alternated ? pairs_of_windows : pairs_of_processes)};
}

bool is_side_of_pairs(const fs::path& measurement_file) {
  const fs::path side = fs::absolute(measurement_file).parent_path();
  const fs::path half = side.parent_path();  // exact, or a pair
  const std::string name = side.filename().string();
  const bool named = name == "base" || name == "head" || name == aa_copy_folder;
  return named &&
         (fs::exists(half.parent_path() / ab_plan_name) || fs::exists(half.parent_path().parent_path() / ab_plan_name));
}

}  // namespace stepgate
