// The files of a history as documents: a session (schemas/history_session.schema.json), the renames of cases
// (schemas/history_renames.schema.json), an acknowledged change (schemas/history_acknowledgement.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/stored/history.h"

namespace stepgate {

/// Throws Error(measure) for a number that is not finite.
std::string to_text(const HistorySession& session);

/// Valid JSON that is no session, by its schema.name. A folder with such a file may not be a history at all.
class ForeignDocument : public Error {
 public:
  using Error::Error;
};

/// Reads the values straight into the session, without a tree of the document: a history has a million of them. Throws
/// Error(usage) naming `source`, the key and what was expected; ForeignDocument for a document of another kind.
HistorySession history_session_from_text(std::string_view text, const std::string& source);

/// Throws Error(usage) naming `source` and the key.
std::vector<HistoryRename> history_renames_from_text(std::string_view text, const std::string& source);

std::string to_text(const Acknowledgement& acknowledged);
/// Throws Error(usage) naming `source` and the key, also for a reason that is empty.
Acknowledgement acknowledgement_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
