// The files of a history folder:
//   CLASS/YYYY/MM/YYYYMMDDTHHMMSSZ-COMMIT12-RUN.json   a session
//   renames.json                                       cases that have another name now
//   acknowledged/YYYYMMDDTHHMMSSZ-COMMIT12-DIGEST.json changes that somebody accepted
// A file never changes once it is there, so two writers never lose anything, and git merges two histories by itself.
#pragma once

#include <filesystem>
#include <string>

#include "core/stored/history.h"

namespace stepgate {

/// The path of a session below the history folder. Throws Error(usage) for a class, a time, a commit or a run that
/// cannot be part of a path (core/text/path_text.h).
std::filesystem::path session_path(const HistorySession& session);

enum class Stored { new_file, already_there };

/// Writes `text` whole to a path where nothing lies yet: of two writers at once one makes the file. Throws Error(usage)
/// where a file with other contents lies there, Error(measure) where it cannot be written.
Stored write_once(const std::filesystem::path& path, const std::string& text);

/// Nothing is stored that read_history() would refuse, and no symbolic link below `folder` is followed. Throws as
/// write_once() and session_path(), Error(measure) for what the reader would refuse.
Stored store_session(const std::filesystem::path& folder, const HistorySession& session);
std::filesystem::path store_acknowledgement(const std::filesystem::path& folder, const Acknowledgement& acknowledged);

/// Sessions in the order of their files, with the names of today. A session that cannot be read is left out and listed
/// in `unreadable`. Throws Error(usage) for a folder that is missing or holds no session that can be read, a document
/// of another kind without the name of a session, a damaged acknowledgement, a symbolic link in the place of a file, a
/// session that lies in two files, renames that lead in a circle, and a session that has both names of a renamed case.
History read_history(const std::filesystem::path& folder);

}  // namespace stepgate
