#include "experiment/history/history_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "baseline/baseline_key.h"
#include "core/error.h"
#include "core/stored/history_pairs.h"
#include "core/text/case_name.h"
#include "core/text/excerpt.h"
#include "experiment/history/head_of_pairs.h"
#include "experiment/history/session_facts.h"
#include "experiment/plan/measurement_files.h"
#include "judge/reduce/reduce_case.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Every CASE/HALF/measurement.json. Those of pairs (head_of_pairs.h) and of profiles lie in folders of other
/// names.
std::vector<fs::path> measurements_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path& file = at->path();
    if (file.filename() == "measurement.json" && tier_choice_named(file.parent_path().filename().string()))
      files.push_back(file);
  }
  if (failed) {
    throw Error(ErrorKind::usage, fmt::format("{} cannot be read: {}", folder.string(), failed.message()),
                "name a folder of results that can be read");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A measurement of one case, and how it was made.
struct SessionPart {
  fs::path source;
  Measurement measurement;
  std::string pairs = {};  ///< value of pair_fact; "" where its processes ran alone
};

SessionPart part_of_file(const fs::path& file) {
  if (is_side_of_pairs(file)) {
    throw Error(ErrorKind::usage, fmt::format("{} is one process of an A/B run", file.string()),
                "name the folder of the case, CASE/ab: its head processes become one value");
  }
  return {file, read_measurement(file)};
}

/// The processes that ran alone; if none did, the head side of A/B runs. A gate may have confirmed a red by pairs.
std::vector<SessionPart> parts_below(const fs::path& folder, const Observer& observer) {
  std::vector<SessionPart> parts;
  for (const fs::path& file : measurements_below(folder)) parts.push_back(part_of_file(file));
  const std::vector<fs::path> pairs = pair_results_below(folder);
  if (!parts.empty() && !pairs.empty()) {
    observer.on_notice({Severity::note,
                        fmt::format("{}: the results of ab in it are left out, because it holds those of gate or run",
                                    folder.string()),
                        "to add one of them instead, name its folder: " + pairs.front().string()});
    return parts;
  }
  for (const fs::path& one : pairs) {
    HeadOfPairs head = head_of_pairs(one);
    parts.push_back({one, std::move(head.measurement), std::move(head.pairs)});
  }
  return parts;
}

std::vector<SessionPart> parts_in(const std::vector<fs::path>& results, const Observer& observer) {
  std::vector<SessionPart> found;
  for (const fs::path& one : results) {
    std::error_code failed;
    if (!fs::exists(one, failed)) {
      throw Error(ErrorKind::usage, fmt::format("'{}' does not exist", one.string()),
                  "name folders of results (--out of stepgate run, gate or ab), or measurement.json files");
    }
    const bool folder = fs::is_directory(one, failed);
    std::vector<SessionPart> parts = folder ? parts_below(one, observer) : std::vector<SessionPart>{part_of_file(one)};
    if (parts.empty()) {
      throw Error(ErrorKind::usage, fmt::format("{} holds no measurement.json of a case", one.string()),
                  "measure first: stepgate run --out " + one.string());
    }
    for (SessionPart& part : parts) {
      refuse_profiled(part.measurement);
      if (!is_case_name(part.measurement.case_name))
        throw Error(
            ErrorKind::measure,
            fmt::format("{}: '{}' is not a name of a case", part.source.string(), excerpt(part.measurement.case_name)),
            "measure again: stepgate run CASE");
      found.push_back(std::move(part));
    }
  }
  return found;
}

void refuse_several(const char* what, const std::set<std::string>& values) {
  if (values.size() < 2) return;
  throw Error(ErrorKind::usage,
              fmt::format("the results are of several {}: {} and {}", what, excerpt(*values.begin()),
                          excerpt(*values.rbegin())),
              "add the results of one run at a time");
}

void refuse_commit(const std::string& commit) {
  if (commit.empty())
    throw Error(ErrorKind::usage, "the results name no commit, and a change could not be traced to one",
                "measure in a git checkout, or set STEPGATE_COMMIT for the measurement");
  const bool plain = std::all_of(commit.begin(), commit.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  if (!plain || commit.front() == '.' || commit.front() == '-')
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a commit", excerpt(commit)),
                "measure again in a git checkout");
  if (commit.ends_with("-dirty"))
    throw Error(ErrorKind::usage, fmt::format("{}: measured from a tree with uncommitted changes", commit),
                "commit the changes and measure again: nobody could find this state again");
}

HistoryHalf exact_values(const CaseValues& values) {
  std::map<std::string, std::vector<double>> by_metric;
  for (const auto& [metric, replicates] : values.exact) {
    for (const auto& steps : replicates) {
      if (steps.empty()) continue;
      double sum = 0;
      for (const std::int64_t step : steps) sum += static_cast<double>(step);
      by_metric[metric].push_back(sum / static_cast<double>(steps.size()));
    }
  }
  for (const auto& [metric, replicates] : values.bytes) by_metric[metric].assign(replicates.begin(), replicates.end());
  HistoryHalf half;
  for (const auto& [metric, numbers] : by_metric) add_history_value(metric, numbers, half);
  return half;
}

HistoryHalf timed_values_of(const CaseValues& values) {
  HistoryHalf half;
  for (const auto& [metric, numbers] : values.timed) add_history_value(metric, numbers, half);
  return half;
}

class SessionMaker {
 public:
  explicit SessionMaker(const Observer& observer) : observer_(observer) {}

  void add(const SessionPart& part) {
    const Measurement& measurement = part.measurement;
    const CaseValues values = case_values(measurement);
    const auto at = cases_.try_emplace(measurement.case_name, HistoryCase{measurement.case_name, {}, {}}).first;
    HistoryHalf exact = exact_values(values);
    HistoryHalf timed = timed_values_of(values);
    if (exact.values.empty() && timed.values.empty())
      return observer_.on_notice({Severity::warning, measurement.case_name + " gave no value: not in the session"});
    const bool on_gpu = measurement.plan.device == Device::cuda;
    const Fingerprint key =
        on_gpu ? device_exact_key(values.exact_fingerprint) : portable_key(values.exact_fingerprint);
    take(measurement, exact, key, at->second.exact);
    Fingerprint timed_key = runner_key(values.timed_fingerprint);
    if (!part.pairs.empty()) timed_key[std::string(pair_fact)] = part.pairs;
    take(measurement, timed, timed_key, at->second.timed);
  }

  HistorySession finish() {
    for (auto& [name, one] : cases_) {
      if (one.exact || one.timed) session_.cases.push_back(std::move(one));
    }
    if (session_.cases.empty())
      throw Error(ErrorKind::usage, "none of the results has a value", "the measurements say why: stepgate report");
    session_.run = hex_text(run_);
    return std::move(session_);
  }

  HistorySession& session() { return session_; }

 private:
  void take(const Measurement& measurement, HistoryHalf& half, const Fingerprint& key,
            std::optional<HistoryHalf>& into) {
    if (half.values.empty()) return;
    if (into) {
      throw Error(ErrorKind::usage,
                  fmt::format("two of the results measured the same half of {}", measurement.case_name),
                  "add the results of one run at a time");
    }
    run_.add(fmt::format("{}\n{}\n{}\n", measurement.case_name, measurement.utc, measurement.commit));
    for (const HistoryValue& value : half.values) run_.add(fmt::format("{}={}\n", value.metric, value.median));
    half.key = add_history_key(key, session_);
    into = std::move(half);
  }

  const Observer& observer_;
  HistorySession session_;
  std::map<std::string, HistoryCase> cases_;
  FnvHash run_;
};

}  // namespace

HistorySession history_session_of(const std::vector<fs::path>& results, const Observer& observer) {
  const std::vector<SessionPart> parts = parts_in(results, observer);
  std::set<std::string> commits;
  std::set<std::string> classes;
  SessionMaker maker(observer);
  for (const SessionPart& part : parts) {
    commits.insert(part.measurement.commit);
    classes.insert(part.measurement.runner_class);
  }
  refuse_several("commits", commits);
  refuse_several("runner classes", classes);
  refuse_commit(*commits.begin());
  refuse_history_class(*classes.begin());
  const auto oldest = std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return a.measurement.unix_s < b.measurement.unix_s;
  });
  const Measurement& first = oldest->measurement;
  HistorySession& session = maker.session();
  session.runner_class = first.runner_class;
  session.utc = first.utc;
  session.unix_s = first.unix_s;
  session.commit = first.commit;
  add_commit_facts(session, observer);
  for (const SessionPart& part : parts) maker.add(part);
  return maker.finish();
}

}  // namespace stepgate
