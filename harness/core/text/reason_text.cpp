#include "core/text/reason_text.h"

namespace stepgate {

/// The last three are the bytes of an ellipsis in UTF-8.
bool says_a_reason(std::string_view text) {
  return text.find_first_not_of(" \t\n.\xE2\x80\xA6") != std::string_view::npos;
}

}  // namespace stepgate
