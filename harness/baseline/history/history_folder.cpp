#include "baseline/history/history_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <future>
#include <iterator>
#include <span>
#include <tuple>
#include <unordered_map>

#include "baseline/history/case_renames.h"
#include "core/error.h"
#include "core/text/commit_text.h"
#include "core/text/path_text.h"
#include "json/history/history_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"
#include "system/files/file_error.h"
#include "system/files/inner_path.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* acknowledged_folder = "acknowledged";
constexpr const char* renames_file = "renames.json";

/// "2026-11-22T05:34:50Z" -> "20261122T053450Z": colons are not allowed in artefacts of CI systems.
std::string compact_time(const std::string& utc) {
  std::string text;
  for (const char letter : utc) {
    if (letter != '-' && letter != ':') text += letter;
  }
  return text;
}

/// The texts come from a measurement or an option; they become parts of a file's name.
std::string file_name_of(const std::string& utc, const std::string& commit, const std::string& id) {
  return fmt::format("{}-{}-{}.json", compact_time(path_text(PathText::utc, utc)),
                     commit.empty() ? "unknown" : path_text(PathText::file_name, short_commit(commit)),
                     path_text(PathText::file_name, id));
}

/// Removes the temporary file however the writer leaves.
struct TemporaryFile {
  fs::path path;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

std::vector<fs::path> json_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(".")) {
      if (at->is_directory(failed)) at.disable_recursion_pending();
      continue;
    }
    if (!name.ends_with(".json")) continue;
    refuse_links_below(folder, at->path(), ErrorKind::usage);
    files.push_back(at->path());
  }
  if (failed) {
    throw Error(ErrorKind::usage, fmt::format("{} cannot be read: {}", folder.string(), failed.message()),
                "name a history folder: --history DIR");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Two files of one run would count its measurements twice.
void refuse_twins(const std::vector<HistorySession>& sessions) {
  std::unordered_map<std::string, const HistorySession*> by_run;
  for (const HistorySession& session : sessions) {
    const auto [at, is_new] = by_run.emplace(session.runner_class + "/" + session.run, &session);
    if (is_new) continue;
    const bool same = to_text(*at->second) == to_text(session);
    throw Error(ErrorKind::usage,
                fmt::format("{} and {} hold the same session (run {}){}", at->second->file, session.file, session.run,
                            same ? "" : " with other contents"),
                same ? "remove one of the two files"
                     : "a session never changes: restore the one that version control knows, and remove the other");
  }
}

std::vector<HistorySession> sessions_in(std::span<const fs::path> files) {
  std::vector<HistorySession> sessions;
  for (const fs::path& file : files) sessions.push_back(history_session_from_text(read_text_file(file), file.string()));
  return sessions;
}

/// In the order of the files; the first damaged one is reported. Reading takes most of the time of a large history. If
/// the system refuses a second thread, get() reads the other half.
std::vector<HistorySession> sessions_on_two_threads(std::span<const fs::path> files) {
  constexpr std::size_t worth_a_thread = 64;
  if (files.size() < worth_a_thread) return sessions_in(files);
  const std::size_t half = files.size() / 2;
  auto others = std::async(std::launch::async | std::launch::deferred, sessions_in, files.subspan(half));
  std::vector<HistorySession> sessions = sessions_in(files.first(half));
  std::ranges::move(others.get(), std::back_inserter(sessions));
  return sessions;
}

}  // namespace

fs::path session_path(const HistorySession& session) {
  const std::string name = file_name_of(session.utc, session.commit, session.run);
  return fs::path(path_text(PathText::file_name, session.runner_class)) / session.utc.substr(0, 4) /
         session.utc.substr(5, 2) / name;
}

Stored write_once(const fs::path& path, const std::string& text) {
  const TemporaryFile temporary{path.parent_path() /
                                fmt::format(".{}-{}.new", path.filename().string(), static_cast<long>(getpid()))};
  write_file_atomically(temporary.path, text);
  // Unlike rename(2), link(2) fails where the name is taken.
  if (link(temporary.path.c_str(), path.c_str()) == 0) return Stored::new_file;
  const int error = errno;
  if (error != EEXIST)
    throw file_error(ErrorKind::measure, {.path = path, .step = "cannot give the new file its name", .error = error});
  if (read_text_file(path) == text) return Stored::already_there;
  throw Error(ErrorKind::usage, fmt::format("{}: lies there already with other contents", path.string()),
              "a file of a history never changes: keep it, or remove it and add the results again");
}

Stored store_session(const fs::path& folder, const HistorySession& session) {
  const fs::path file = folder / session_path(session);
  refuse_links_below(folder, file, ErrorKind::usage);
  return write_once(file, text_that_reads_back(session, file.string(), history_session_from_text));
}

fs::path store_acknowledgement(const fs::path& folder, const Acknowledgement& acknowledged) {
  ShortFnvHash digest;
  digest.add(acknowledged.series);
  digest.add(acknowledged.reason);
  const fs::path file =
      folder / acknowledged_folder / file_name_of(acknowledged.utc, acknowledged.commit, hex_text(digest));
  refuse_links_below(folder, file, ErrorKind::usage);
  write_once(file, text_that_reads_back(acknowledged, file.string(), acknowledgement_from_text));
  return file;
}

History read_history(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw Error(ErrorKind::usage, fmt::format("there is no history folder '{}'", folder.string()),
                "name it with --history DIR, or begin one: stepgate history add RESULTS --to DIR");
  }
  History history;
  std::vector<fs::path> session_files;
  for (const fs::path& file : json_files_below(folder)) {
    const fs::path place = file.lexically_relative(folder);
    if (place == renames_file) continue;
    if (*place.begin() == acknowledged_folder)
      history.acknowledged.push_back(acknowledgement_from_text(read_text_file(file), file.string()));
    else
      session_files.push_back(file);
  }
  history.sessions = sessions_on_two_threads(session_files);
  if (history.sessions.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{} holds no session", folder.string()),
                "add results: stepgate history add RESULTS --to " + folder.string());
  }
  refuse_twins(history.sessions);
  const fs::path renames = folder / renames_file;
  if (const auto text = read_text_file_if_present(renames))
    apply_renames(history_renames_from_text(*text, renames.string()), renames.string(), history);
  const auto older = [](const HistorySession& a, const HistorySession& b) {
    return std::tie(a.unix_s, a.commit_number, a.run) < std::tie(b.unix_s, b.commit_number, b.run);
  };
  std::sort(history.sessions.begin(), history.sessions.end(), older);
  return history;
}

}  // namespace stepgate
