#include "baseline/history/history_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "baseline/history/case_renames.h"
#include "core/error.h"
#include "core/text/commit_text.h"
#include "core/text/path_text.h"
#include "core/text/utc_time.h"
#include "json/history/history_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"
#include "system/files/first_file.h"
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

/// Paths as texts: a path of the standard library takes several hundred bytes, and a history may have 100 000 files.
std::vector<std::string> json_files_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(".")) {
      if (at->is_directory(failed)) at.disable_recursion_pending();
      continue;
    }
    if (!name.ends_with(".json")) continue;
    // The iterator enters no folder that is a link, so only the file itself can be one.
    if (at->is_symlink(failed)) refuse_links_below(folder, at->path(), ErrorKind::usage);
    files.push_back(at->path().string());
  }
  if (failed) {
    throw Error(ErrorKind::usage, fmt::format("{} cannot be read: {}", folder.string(), failed.message()),
                "name a history folder: --history DIR");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents_of(const std::string& file) {
  return to_text(history_session_from_text(read_text_file(file), file));
}

/// Two files of one run would count its measurements twice.
void refuse_twins(const std::vector<HistorySession>& sessions) {
  std::unordered_map<std::string, const HistorySession*> by_run;
  for (const HistorySession& session : sessions) {
    const auto [at, is_new] = by_run.emplace(session.runner_class + "/" + session.run, &session);
    if (is_new) continue;
    const bool same = contents_of(at->second->file) == contents_of(session.file);
    throw Error(ErrorKind::usage,
                fmt::format("{} and {} hold the same session (run {}){}", at->second->file, session.file, session.run,
                            same ? "" : " with other contents"),
                same ? "remove one of the two files"
                     : "a session never changes: restore the one that version control knows, and remove the other");
  }
}

/// `file` as the iterator over `folder` names it, without the folder.
std::string_view place_below(const fs::path& folder, std::string_view file) {
  file.remove_prefix(std::min(folder.native().size(), file.size()));
  file.remove_prefix(std::min(file.find_first_not_of('/'), file.size()));
  return file;
}

std::string_view first_folder(std::string_view place) { return place.substr(0, place.find('/')); }

/// The time that a name begins with, "20261122T053450Z-4be1c0f-r.json"; absent where it does not.
std::optional<std::int64_t> time_in_name(std::string_view name) {
  constexpr std::size_t length = 16;
  if (name.size() < length) return std::nullopt;
  const auto digits = [&](std::size_t begin, std::size_t count) { return name.substr(begin, count); };
  return unix_seconds(fmt::format("{}-{}-{}T{}:{}:{}{}", digits(0, 4), digits(4, 2), digits(6, 2), digits(9, 2),
                                  digits(11, 2), digits(13, 2), digits(15, 1)));
}

std::string_view name_of_file(std::string_view file) { return file.substr(file.rfind('/') + 1); }

UnreadableSession unreadable_session(const fs::path& folder, const std::string& file, const Error& error) {
  const std::string_view place = place_below(folder, file);
  return {.file = file,
          .problem = error.what(),
          .remedy = error.remedy(),
          .runner_class = std::string(first_folder(place)),
          .unix_s = time_in_name(name_of_file(place))};
}

/// What some of the files hold.
struct ReadFiles {
  std::vector<HistorySession> sessions = {};
  std::map<std::string, Fingerprint> keys = {};
  std::vector<UnreadableSession> unreadable = {};
};

/// A document of another kind is no damaged session, unless it has the name of one: the folder may not be a history, so
/// it is thrown. `room` is for as many sessions: a list that grows would hold those of a long history twice.
ReadFiles read_files(const fs::path& folder, std::span<const std::string> files, std::size_t room) {
  ReadFiles read;
  read.sessions.reserve(room);
  for (const std::string& file : files) {
    try {
      HistorySession session = history_session_from_text(read_text_file(file), file);
      // Thousands of sessions have one key, and nothing reads when a commit was made.
      read.keys.merge(session.keys);
      session.keys.clear();
      session.commit_utc.reset();
      read.sessions.push_back(std::move(session));
    } catch (const ForeignDocument& error) {
      if (!time_in_name(name_of_file(file))) throw;
      read.unreadable.push_back(unreadable_session(folder, file, error));
    } catch (const Error& error) {
      read.unreadable.push_back(unreadable_session(folder, file, error));
    }
  }
  return read;
}

void add_files(ReadFiles more, ReadFiles& to) {
  std::ranges::move(more.sessions, std::back_inserter(to.sessions));
  std::ranges::move(more.unreadable, std::back_inserter(to.unreadable));
  to.keys.merge(more.keys);
}

/// In the order of the files. Reading takes most of the time of a large history. If the system refuses a second
/// thread, get() reads the other half.
ReadFiles read_on_two_threads(const fs::path& folder, std::span<const std::string> files) {
  constexpr std::size_t worth_a_thread = 64;
  if (files.size() < worth_a_thread) return read_files(folder, files, files.size());
  const std::size_t half = files.size() / 2;
  auto others = std::async(std::launch::async | std::launch::deferred, [&folder, files, half] {
    return read_files(folder, files.subspan(half), files.size() - half);
  });
  ReadFiles read = read_files(folder, files.first(half), files.size());
  add_files(others.get(), read);
  return read;
}

void refuse_without_session(const fs::path& folder, const ReadFiles& read) {
  if (!read.sessions.empty()) return;
  if (read.unreadable.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{} holds no session", folder.string()),
                "add results: stepgate history add RESULTS --to " + folder.string());
  }
  throw Error(ErrorKind::usage, read.unreadable.front().problem, read.unreadable.front().remedy);
}

}  // namespace

fs::path session_path(const HistorySession& session) {
  const std::string name = file_name_of(session.utc, session.commit, session.run);
  return fs::path(path_text(PathText::file_name, session.runner_class)) / session.utc.substr(0, 4) /
         session.utc.substr(5, 2) / name;
}

Stored write_once(const fs::path& path, const std::string& text) {
  if (write_first_file(path, text)) return Stored::new_file;
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
  std::vector<std::string> session_files;
  for (std::string& file : json_files_below(folder)) {
    const std::string_view place = place_below(folder, file);
    if (place == renames_file) continue;
    if (first_folder(place) == acknowledged_folder)
      history.acknowledged.push_back(acknowledgement_from_text(read_text_file(file), file));
    else
      session_files.push_back(std::move(file));
  }
  ReadFiles read = read_on_two_threads(folder, session_files);
  refuse_without_session(folder, read);
  history.sessions = std::move(read.sessions);
  history.keys = std::move(read.keys);
  history.unreadable = std::move(read.unreadable);
  refuse_twins(history.sessions);
  const fs::path renames = folder / renames_file;
  if (const auto text = read_text_file_if_present(renames))
    apply_renames(history_renames_from_text(*text, renames.string()), renames.string(), history);
  return history;
}

}  // namespace stepgate
