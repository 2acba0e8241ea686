// What is a file that someone takes for a trace?
#pragma once

#include <string_view>

namespace stepgate {

struct ForeignFormat {
  std::string_view begins;  ///< first bytes of the file, or a key of the document
  std::string_view is;      ///< "a zip archive"
  std::string_view remedy;
};

/// By the first bytes of its text; null for what may be a trace.
const ForeignFormat* foreign_file(std::string_view text);

/// By a key at the top of a JSON document; null where the key tells nothing.
const ForeignFormat* foreign_document(std::string_view key);

}  // namespace stepgate
