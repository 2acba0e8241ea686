// From text to a checked JSON tree and its document type. Internal to json/: other layers use the *_json.h headers,
// which do not mention nlohmann.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/schema_version.h"

namespace stepgate {

using Json = nlohmann::ordered_json;

/// The source of a document, for messages.
struct Origin {
  std::string source;  ///< file name
  DocumentType type;
};

/// What is read by hand, or written again; other documents are read by Reader. Parses `text`. Throws an
/// Error(origin.type.error_kind) that names line and column of a text that is empty, truncated, malformed or holds an
/// infinite number, the line of a git conflict marker, and a duplicate key. A text that is longer than its type allows,
/// or has more than most_nested_levels or most_values, is refused too.
Json parse_document(std::string_view text, const Origin& origin);

/// An empty object. Beyond `members` nlohmann's ordered object copies all of its subtrees each time that it grows.
Json object_with_room(std::size_t members);

/// {"schema": {name, major, minor}}: the start of every document.
Json document_of(const DocumentType& type);

}  // namespace stepgate
