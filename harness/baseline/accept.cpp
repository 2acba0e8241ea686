#include "baseline/accept.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "baseline/baseline_lock.h"
#include "baseline/baseline_path.h"
#include "baseline/find_baseline.h"
#include "core/error.h"
#include "core/text/commit_text.h"
#include "core/version.h"
#include "json/stored/baseline_json.h"
#include "system/file.h"

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

void fill_provenance(const AcceptRequest& request, const Merged& merged, Baseline& baseline) {
  Provenance& provenance = baseline.provenance;
  if (provenance.commit.empty()) provenance.commit = request.commit;
  provenance.utc = request.utc;
  provenance.reason = request.reason;
  provenance.stepgate_version = version;
  provenance.previous = merged.moved;
  provenance.local = request.local;
}

/// Only --replace may overwrite a damaged or misplaced committed file.
std::optional<Baseline> committed_at(const AcceptRequest& request, const Baseline& pending) {
  try {
    return find_baseline(request.baseline_root, pending.runner_class, pending.case_name);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::baseline && request.replace) return std::nullopt;
    throw;
  }
}

void stage(const AcceptRequest& request, const std::filesystem::path& file,
           std::map<std::filesystem::path, Staged>& staged) {
  const Baseline pending = read_baseline(file);
  require_scope_of_class(pending, file);
  const auto target = baseline_path(request.baseline_root, pending.runner_class, pending.case_name);
  const auto earlier = staged.find(target);
  const bool again = earlier != staged.end();
  if (again && (pending.scope == Scope::portable || request.replace)) {
    throw Error(ErrorKind::usage, fmt::format("{}: a second pending file for {}", file.string(), target.string()),
                "name only one of the two");
  }
  Staged entry = again ? earlier->second : Staged{committed_at(request, pending), {target, {}, "", {}}};
  const Merged merged = merge_pending(entry.committed ? &*entry.committed : nullptr, pending,
                                      {.append = request.append, .replace = request.replace});
  if (!again) entry.result.kind = merged.kind;
  entry.result.moved = merged.moved;
  entry.result.notes.insert(entry.result.notes.end(), merged.notes.begin(), merged.notes.end());
  if (pending.provenance.commit.ends_with("-dirty")) {
    entry.result.notes.emplace_back("measured from a tree with uncommitted changes: " +
                                    short_commit(pending.provenance.commit));
  }
  entry.committed = merged.baseline;
  if (merged.kind != AcceptKind::unchanged) fill_provenance(request, merged, *entry.committed);
  staged.insert_or_assign(target, std::move(entry));
}

}  // namespace

std::vector<Accepted> accept(const AcceptRequest& request) {
  require_sound(request);
  const BaselineLock lock(request.baseline_root, request.utc);
  std::map<std::filesystem::path, Staged> staged;
  for (const auto& file : request.pending) stage(request, file, staged);
  std::vector<Accepted> written;
  for (auto& [target, entry] : staged) {
    if (entry.result.kind != AcceptKind::unchanged) write_file_atomically(target, to_text(*entry.committed));
    written.push_back(std::move(entry.result));
  }
  return written;
}

}  // namespace stepgate
