// Text to a checked JSON tree, and which document it claims to be. Internal to json/: other layers use the *_json.h
// headers, which do not mention nlohmann.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/schema_version.h"

namespace stepgate {

using Json = nlohmann::ordered_json;

/// Where a document came from, for messages.
struct Origin {
  std::string source;  ///< file name
  DocumentType type;
};

/// Parses `text`. Throws Error(origin.type.error_kind) that names line and column for text that is empty, cut off,
/// malformed or holds an infinite number, the line for git conflict markers, and the key for keys given twice.
Json parse_document(std::string_view text, const Origin& origin);

/// {"schema": {name, major, minor}}: how every document starts.
Json document_of(const DocumentType& type);

}  // namespace stepgate
