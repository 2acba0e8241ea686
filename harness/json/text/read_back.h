// A document that stepgate writes is one that stepgate reads.
#pragma once

#include <string>

#include "core/error.h"

namespace stepgate {

/// to_text(document), once `read` (the document's own reader) took it. A writer calls it before its file gets a name,
/// so that no file is stored that the next command refuses. Throws Error(measure) naming `file` and what the reader
/// said.
template <typename Document, typename Read>
std::string text_that_reads_back(const Document& document, const std::string& file, const Read& read) {
  std::string text = to_text(document);
  try {
    read(text, "its text");
  } catch (const Error& error) {
    throw Error(ErrorKind::measure, file + " was not written, because nothing could read it: " + error.what(),
                "the values come from a damaged file or from something else than stepgate: measure again");
  }
  return text;
}

}  // namespace stepgate
