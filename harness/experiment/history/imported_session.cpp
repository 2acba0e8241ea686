#include "experiment/history/imported_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/utc_time.h"
#include "experiment/history/benchmark_values.h"
#include "experiment/history/imported_file.h"
#include "experiment/history/session_facts.h"
#include "stats/summary.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

/// The whole id of a commit that git knows here. An id that it does not know stays as it is.
std::string commit_id(const std::string& name) {
  if (name.ends_with("-dirty")) {
    throw Error(ErrorKind::usage, fmt::format("{}: measured from a tree with uncommitted changes", excerpt(name)),
                "commit the changes and measure again: nobody could find this state again");
  }
  const std::string known =
      name.starts_with("-") ? "" : git_line({"rev-parse", "--verify", "--quiet", name + "^{commit}"});
  if (!known.empty()) return known;
  if (name.size() >= 7 && name.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) return name;
  throw Error(ErrorKind::usage, fmt::format("'{}' is not a commit that git knows here", excerpt(name)),
              "give its id, or run the command in the checkout");
}

std::string commit_of_import(const std::string& given, const std::vector<ImportedFile>& files) {
  std::set<std::string> commits;
  if (!given.empty()) commits.insert(commit_id(given));
  for (const ImportedFile& file : files) {
    for (const BenchmarkOutput& process : file.results.processes) {
      if (!process.commit.empty()) commits.insert(commit_id(process.commit));
    }
  }
  if (commits.size() == 1) return *commits.begin();
  if (commits.empty()) {
    throw Error(ErrorKind::usage, "the files name no commit, and a change could not be traced to one",
                "say what they measured: --commit ID; a program writes it into its file with "
                "--benchmark_context=commit=ID");
  }
  throw Error(ErrorKind::usage,
              fmt::format("the files are of several commits: {} and {}", *commits.begin(), *commits.rbegin()),
              "import the files of one commit at a time, and give no other with --commit");
}

/// The facts that must be equal within an epoch. A named runner class states that its machines are alike.
Fingerprint imported_key(const BenchmarkOutput& output, const std::string& tool, const std::string& runner_class) {
  Fingerprint key = output.machine;
  if (runner_class != "local") key.erase("host_name");
  if (tool == "google-benchmark") key["benchmark_build_type"] = output.library_build_type;
  key[imported_from_fact] = tool;
  return key;
}

void tell_left_out(const std::map<std::string, std::set<std::string>>& left_out, const Observer& observer) {
  constexpr std::ptrdiff_t most_named = 10;
  for (const auto& [reason, names] : left_out) {
    const auto end = std::next(names.begin(), std::min(most_named, std::ssize(names)));
    observer.on_notice(
        {Severity::warning, fmt::format("left out, because {}: {}{}", reason, fmt::join(names.begin(), end, "; "),
                                        end == names.end() ? "" : "; ...")});
  }
}

void tell_debug_build(const std::vector<ImportedFile>& files, const Observer& observer) {
  const auto is_debug = [](const ImportedFile& file) {
    return file.results.processes.front().library_build_type == "debug";
  };
  if (std::ranges::none_of(files, is_debug)) return;
  observer.on_notice({Severity::warning,
                      "Google Benchmark itself was built for debugging, which adds to short times: such files are an "
                      "epoch of their own",
                      "link its release build; that of Debian is a debug build"});
}

/// A value of each process: the median of its repetitions, which are not independent of each other.
class ImportedCases {
 public:
  /// `process` is one of the file's.
  void add(const ImportedFile& file, const BenchmarkOutput& process, const std::string& key) {
    BenchmarkValues values = benchmark_values(process, file.path.string());
    for (auto& [reason, names] : values.left_out) left_out_[reason].merge(names);
    for (const auto& [name, metrics] : values.cases) {
      Case& one = cases_.try_emplace(name, Case{key, {}, {}}).first->second;
      if (one.key != key) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: another file measured {} on another machine", file.path.string(), excerpt(name)),
                    "import the files of one machine at a time");
      }
      for (const auto& [metric, repetitions] : metrics) {
        one.medians[metric].push_back(median(repetitions));
        one.repetitions[metric] += std::ssize(repetitions);
      }
    }
  }

  std::vector<HistoryCase> finish(const Observer& observer) {
    tell_left_out(left_out_, observer);
    std::vector<HistoryCase> cases;
    for (auto& [name, one] : cases_) {
      HistoryHalf half{.key = one.key, .values = {}, .repetitions = std::move(one.repetitions)};
      for (const auto& [metric, medians] : one.medians) add_history_value(metric, medians, half);
      cases.push_back({.name = name, .exact = {}, .timed = std::move(half)});
    }
    if (cases.empty()) throw Error(ErrorKind::usage, "none of the benchmarks has a value", "the warnings say why");
    return cases;
  }

 private:
  struct Case {
    std::string key;
    std::map<std::string, std::vector<double>> medians;
    std::map<std::string, std::int64_t> repetitions;
  };
  std::map<std::string, Case> cases_;
  std::map<std::string, std::set<std::string>> left_out_;
};

}  // namespace

HistorySession imported_session(const BenchmarkImport& import, const Observer& observer) {
  refuse_history_class(import.runner_class);
  const std::vector<ImportedFile> files = read_benchmark_files(import.files, observer);
  HistorySession session;
  session.runner_class = import.runner_class;
  session.commit = commit_of_import(import.commit, files);
  session.unix_s = std::ranges::min_element(files, {}, &ImportedFile::unix_s)->unix_s;
  session.utc = utc_text(session.unix_s);
  session.sequence = import.sequence;
  add_commit_facts(session, observer);
  ImportedCases cases;
  FnvHash run;
  run.add(session.commit);
  for (const ImportedFile& file : files) {
    for (const BenchmarkOutput& process : file.results.processes) {
      const Fingerprint key = imported_key(process, file.results.tool, import.runner_class);
      cases.add(file, process, add_history_key(key, session));
    }
    run.add(file.text);
  }
  session.run = hex_text(run);
  session.cases = cases.finish(observer);
  tell_debug_build(files, observer);
  return session;
}

}  // namespace stepgate
