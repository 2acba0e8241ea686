// Takes the text of a trace apart into the tokens of JSON. It reads what profilers really write, and never holds more
// than the beginning of a token, however long it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/traces/trace_text.h"

namespace stepgate {

enum class TraceToken {
  end,  ///< of the text
  begin_object,
  end_object,
  begin_array,
  end_array,
  colon,
  comma,
  text,    ///< a quoted string
  number,  ///< in its digits
  word,    ///< null, true, false, or what a producer wrote for a number that is not finite
  broken   ///< no token of JSON
};

/// More than JSON allows, because profilers of PyTorch write it (docs/design/trace_account.md, "Oddities"):
/// backslashes that escape nothing (paths of Windows), quotes, line ends and control characters inside of a string,
/// bytes that are not UTF-8, and inf, nan and their like as numbers.
class TraceScanner {
 public:
  explicit TraceScanner(TraceText& text) : text_(text) {}

  /// `as_key`: a string is the key of an object, so a colon must follow its last quote; after any other string stands a
  /// comma, a bracket, a brace or the end. A quote that something else follows belongs to the string. Throws
  /// Error(usage) where a token is longer than its limit.
  TraceToken next(bool as_key);

  /// Of a text its first most_kept_bytes, with blanks for control characters; of any other token its characters.
  const std::string& value() const { return value_; }
  /// Characters before the token.
  std::uint64_t start() const { return start_; }

  /// Goes on behind the next brace that begins an object with a key and is an element of a list: a comma or a bracket
  /// stands before it. False where none follows.
  bool find_element();
  /// After find_element() returned false: whether a brace or a bracket ended what was passed over.
  bool closed() const { return last_ == '}' || last_ == ']'; }

 private:
  TraceToken single(TraceToken token);
  TraceToken read_text(bool as_key);
  TraceToken read_word();
  void take_escape();
  void take_code_unit();
  bool ends_text(bool as_key);
  std::uint64_t skip_blanks();
  void keep(std::string_view part);
  void require_length(std::uint64_t bytes, std::uint64_t most, std::string_view what) const;

  TraceText& text_;
  std::string value_;
  std::uint64_t start_ = 0;
  char last_ = ' ';
};

}  // namespace stepgate
