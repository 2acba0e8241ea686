// What JSON documents begin with, and where they come from. Internal to json/: other layers use the *_json.h headers,
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

/// An empty object. Beyond `members` nlohmann's ordered object copies all of its subtrees each time that it grows.
Json object_with_room(std::size_t members);

/// {"schema": {name, major, minor}}: the start of every document.
Json document_of(const DocumentType& type);

}  // namespace stepgate
