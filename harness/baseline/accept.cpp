#include "baseline/accept.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "baseline/baseline_lock.h"
#include "baseline/baseline_path.h"
#include "baseline/diff.h"
#include "baseline/find_baseline.h"
#include "baseline/pending.h"
#include "core/error.h"
#include "core/leading_time.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/stored/policy.h"
#include "core/text/commit_text.h"
#include "core/text/reason_text.h"
#include "core/version.h"
#include "json/stored/baseline_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"
#include "system/files/inner_path.h"

namespace stepgate {
namespace {

void require_sound(const AcceptRequest& request) {
  if (request.ci) {
    throw Error(
        ErrorKind::usage, "baseline accept is for a person and refuses to run where CI=true",
        "download the pending files of this run; on your machine: stepgate baseline accept FILE... --reason TEXT; "
        "then commit what it writes");
  }
  if (request.reason.find_first_not_of(" \t\n") == std::string::npos) {
    throw Error(ErrorKind::usage, "baseline accept needs --reason: reviewers read it",
                "add --reason \"why this change is meant\"");
  }
  if (!says_a_reason(request.reason)) {
    throw Error(ErrorKind::usage, "the reason says nothing: it is only dots, as in the command that was printed",
                "write why in their place: --reason \"why this change is meant\"");
  }
  if (request.reason.find_first_of("\r\n") != std::string::npos) {
    throw Error(ErrorKind::usage, "the reason must be one line", "--reason \"one line\"");
  }
  if (request.pending.empty()) {
    throw Error(ErrorKind::usage, "no pending baseline was named",
                "name the pending files to accept; stepgate gate writes them");
  }
  if (request.append && request.replace) {
    throw Error(ErrorKind::usage, "--append and --replace exclude each other",
                "--append adds a session of the same code, --replace starts anew");
  }
}

/// One file that will be written. Several pending sessions may go into the same file.
struct Staged {
  std::optional<Baseline> committed;  ///< as on the disk, or with the earlier pending files
  Accepted result;
};

void require_scope_of_class(const Baseline& pending, const std::filesystem::path& file) {
  const bool portable_folder = pending.runner_class == portable_class;
  if (portable_folder == (pending.scope == Scope::portable)) return;
  throw Error(ErrorKind::baseline,
              fmt::format("{}: scope is '{}', but runner_class is '{}'", file.string(), name_of(pending.scope),
                          pending.runner_class),
              "measure again: only portable baselines have the class 'portable'");
}

/// A gate without options could not be compared with such a baseline: its key names seed and steps. Sessions have keys
/// too, but nobody takes them for the values of every machine.
void require_usual_options(const AcceptRequest& request, const std::optional<Baseline>& committed,
                           const Baseline& pending) {
  const std::string& options = pending.provenance.options;
  if (pending.scope == Scope::runner || options.empty() || request.other_options) return;
  if (committed && same_key(committed->key, pending.key)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} ({}): measured with {}; a gate without these options could not be compared with it",
                          pending.case_name, file_label(pending), options),
              "measure again without them: stepgate gate CASE; or, if every gate uses them, add --other-options");
}

/// Clean processes of a session: those of the step time or mean latency, or of the metric with the most where it has
/// none.
std::int64_t processes_of(const Session& session) {
  std::size_t most = 0;
  for (const auto& [metric, values] : session.timed) most = std::max(most, values.size());
  const auto step = session.timed.find(leading_time_of(session.timed));
  return static_cast<std::int64_t>(step == session.timed.end() ? most : step->second.size());
}

void require_enough_processes(const AcceptRequest& request, const Baseline& pending) {
  const auto found = request.fewest_processes.find(pending.case_name);
  const std::int64_t fewest = found == request.fewest_processes.end() ? Policy{}.min_clean_replicates : found->second;
  for (const Session& session : pending.sessions) {
    if (processes_of(session) >= fewest) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} ({}): the session of {} has {} clean processes, and a verdict needs {}",
                            pending.case_name, pending.runner_class, session.utc, processes_of(session), fewest),
                fmt::format("measure again: stepgate gate {} --tier timed --replicates {}", pending.case_name,
                            std::max<std::int64_t>(5, fewest)));
  }
}

void fill_provenance(const AcceptRequest& request, const Merged& merged, const Baseline& pending, Baseline& baseline) {
  Provenance& provenance = baseline.provenance;
  if (provenance.commit.empty()) provenance.commit = request.commit;
  provenance.utc = request.utc;
  provenance.reason = request.reason;
  provenance.stepgate_version = version;
  provenance.previous = merged.moved;
  provenance.local = request.local;
  provenance.options = pending.provenance.options;
}

/// Only --replace may overwrite a damaged or misplaced committed file.
std::optional<Baseline> committed_at(const AcceptRequest& request, const Baseline& pending) {
  try {
    return find_baseline(request.baseline_root, name_of(pending));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::baseline && request.replace) return std::nullopt;
    throw;
  }
}

void stage(const AcceptRequest& request, const std::filesystem::path& file,
           std::map<std::filesystem::path, Staged>& staged) {
  const Baseline pending = read_pending_file(file);
  require_scope_of_class(pending, file);
  const auto target = baseline_path(request.baseline_root, name_of(pending));
  refuse_links_below(request.baseline_root, target, ErrorKind::baseline);
  const auto earlier = staged.find(target);
  const bool again = earlier != staged.end();
  require_enough_processes(request, pending);
  if (again && (pending.scope != Scope::runner || request.replace)) {
    throw Error(ErrorKind::usage, fmt::format("{}: a second pending file for {}", file.string(), target.string()),
                "name only one of the two");
  }
  Staged entry = again ? earlier->second : Staged{committed_at(request, pending), {.file = target}};
  require_usual_options(request, entry.committed, pending);
  if (!again && entry.committed) entry.result.key_changes = diff_baselines(&*entry.committed, pending).key_facts;
  entry.result.measured = pending.provenance;
  const Merged merged = merge_pending(entry.committed ? &*entry.committed : nullptr, pending,
                                      {.append = request.append, .replace = request.replace});
  if (!again) entry.result.kind = merged.kind;
  entry.result.moved = merged.moved;
  entry.result.notes.insert(entry.result.notes.end(), merged.notes.begin(), merged.notes.end());
  const std::string& commit = pending.provenance.commit.empty() ? request.commit : pending.provenance.commit;
  if (commit.ends_with("-dirty")) {
    entry.result.notes.emplace_back("measured from a tree with uncommitted changes: " + short_commit(commit) +
                                    "; its commit does not hold the code that was measured");
  }
  entry.committed = merged.baseline;
  if (merged.kind != AcceptKind::unchanged) fill_provenance(request, merged, pending, *entry.committed);
  staged.insert_or_assign(target, std::move(entry));
}

/// Each file is written as a whole, but not all files at once: a disk may be full after the second.
void write_or_name_written(const std::filesystem::path& target, const Baseline& baseline,
                           const std::vector<Accepted>& written) {
  try {
    write_file_atomically(target, text_that_reads_back(baseline, target.string(), baseline_from_text));
  } catch (const Error& error) {
    std::string names;
    for (const Accepted& one : written) {
      if (one.kind != AcceptKind::unchanged) names += (names.empty() ? "" : ", ") + one.file.string();
    }
    throw Error(
        error.kind(),
        fmt::format("{}; {}", error.what(), names.empty() ? "no baseline was changed" : "already written: " + names),
        fmt::format("{}; then repeat the command, which goes on with the rest", error.remedy()));
  }
}

}  // namespace

std::vector<Accepted> accept(const AcceptRequest& request) {
  require_sound(request);
  const BaselineLock lock(request.baseline_root, request.utc);
  std::map<std::filesystem::path, Staged> staged;
  for (const auto& file : request.pending) stage(request, file, staged);
  std::vector<Accepted> written;
  for (auto& [target, entry] : staged) {
    if (entry.result.kind != AcceptKind::unchanged) write_or_name_written(target, *entry.committed, written);
    written.push_back(std::move(entry.result));
  }
  return written;
}

}  // namespace stepgate
