#include "json/traces/trace_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace stepgate {
namespace {

constexpr std::string_view blank_characters = " \t\r\n";

constexpr bool is_trace_blank(char letter) {
  return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
}

constexpr bool is_digit(int letter) { return letter >= '0' && letter <= '9'; }

constexpr bool is_hex_digit(int letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

/// Characters of numbers, of true, false and null, and of what C, C++ and Python print for a number that is not finite.
constexpr bool is_word_character(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || is_digit(letter) || std::string_view("+-._#()").find(letter) != std::string_view::npos;
}

/// true, false and null; below them what fmt, printf, the C library of Microsoft and Python write for inf and nan.
constexpr std::string_view words_without_value[] = {
    "null", "true",      "false",  "inf",     "-inf",    "nan",     "-nan", "Infinity", "-Infinity", "NaN",
    "-NaN", "-nan(ind)", "1.#INF", "-1.#INF", "1.#QNAN", "-1.#IND", "None", "True",     "False"};

bool is_number(std::string_view word) {
  const std::size_t first = word.starts_with('-') ? 1 : 0;
  return first < word.size() && is_digit(word[first]) &&
         word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

/// How many characters of a string come before a quote or a backslash.
std::size_t plain_length(std::string_view text) {
  const void* quote = std::memchr(text.data(), '"', text.size());
  const std::size_t length =
      quote == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(quote) - text.data());
  const void* escape = std::memchr(text.data(), '\\', length);
  return escape == nullptr ? length : static_cast<std::size_t>(static_cast<const char*>(escape) - text.data());
}

std::string in_utf8(unsigned unit) {
  // A character beyond 16 bits is written as two units, which mean nothing alone. Names of events have none.
  if (unit >= 0xD800U && unit <= 0xDFFFU) return "?";
  if (unit < 0x80U) return {static_cast<char>(unit)};
  const auto following = [](unsigned bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (unit < 0x800U) return {static_cast<char>(0xC0U | (unit >> 6U)), following(unit)};
  return {static_cast<char>(0xE0U | (unit >> 12U)), following(unit >> 6U), following(unit)};
}

}  // namespace

TraceToken TraceScanner::next(bool as_key) {
  skip_blanks();
  start_ = text_.position();
  switch (text_.peek()) {
    case -1:
      return TraceToken::end;
    case '{':
      return single(TraceToken::begin_object);
    case '}':
      return single(TraceToken::end_object);
    case '[':
      return single(TraceToken::begin_array);
    case ']':
      return single(TraceToken::end_array);
    case ':':
      return single(TraceToken::colon);
    case ',':
      return single(TraceToken::comma);
    case '"':
      text_.skip();
      return read_text(as_key);
    default:
      return read_word();
  }
}

TraceToken TraceScanner::single(TraceToken token) {
  value_.assign(1, static_cast<char>(text_.peek()));
  text_.skip();
  return token;
}

TraceToken TraceScanner::read_text(bool as_key) {
  value_.clear();
  for (std::string_view ahead = text_.ahead(); !ahead.empty(); ahead = text_.ahead()) {
    const std::size_t plain = plain_length(ahead);
    keep(ahead.substr(0, plain));
    text_.skip(plain);
    require_length(text_.position() - start_, most_string_bytes, "a string");
    if (plain == ahead.size()) continue;
    const bool quote = ahead[plain] == '"';
    text_.skip();
    if (!quote) {
      take_escape();
    } else if (ends_text(as_key)) {
      return TraceToken::text;
    }
  }
  return TraceToken::end;
}

/// Behind a quote.
bool TraceScanner::ends_text(bool as_key) {
  const bool blanks = skip_blanks() > 0;
  const int follows = text_.peek();
  const bool ends = follows == -1 || (as_key ? follows == ':' : follows == ',' || follows == '}' || follows == ']');
  if (!ends) keep(blanks ? "\" " : "\"");
  return ends;
}

/// Behind a backslash. One that escapes nothing stands for itself: a path of Windows that nobody escaped.
void TraceScanner::take_escape() {
  const int letter = text_.peek();
  switch (letter) {
    case '"':
    case '\\':
    case '/': {
      const char escaped = static_cast<char>(letter);
      keep({&escaped, 1});
      return text_.skip();
    }
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      keep(" ");
      return text_.skip();
    case 'u':
      text_.skip();
      return take_code_unit();
    default:
      keep("\\");
  }
}

void TraceScanner::take_code_unit() {
  constexpr std::size_t unit_digits = 4;
  std::string digits;
  for (int letter = text_.peek(); digits.size() < unit_digits && is_hex_digit(letter); letter = text_.peek()) {
    digits += static_cast<char>(letter);
    text_.skip();
  }
  keep(digits.size() == unit_digits ? in_utf8(static_cast<unsigned>(std::stoul(digits, nullptr, 16))) : "\\u" + digits);
}

TraceToken TraceScanner::read_word() {
  value_.clear();
  for (std::string_view ahead = text_.ahead(); !ahead.empty(); ahead = text_.ahead()) {
    std::size_t length = 0;
    while (length < ahead.size() && is_word_character(ahead[length])) ++length;
    value_.append(ahead.substr(0, std::min(length, most_word_bytes + 1)));
    require_length(value_.size(), most_word_bytes, "a number or word");
    text_.skip(length);
    if (length < ahead.size()) break;
  }
  if (is_number(value_)) return TraceToken::number;
  const bool known = std::find(std::begin(words_without_value), std::end(words_without_value), value_) !=
                     std::end(words_without_value);
  if (known) return TraceToken::word;
  if (value_.empty()) keep({text_.ahead().data(), 1});
  return TraceToken::broken;
}

bool TraceScanner::find_element() {
  last_ = value_.empty() ? ' ' : value_.back();
  for (std::string_view ahead = text_.ahead(); !ahead.empty(); ahead = text_.ahead()) {
    const std::size_t brace = ahead.find('{');
    const std::string_view before = ahead.substr(0, brace);
    const std::size_t last = before.find_last_not_of(blank_characters);
    if (last != before.npos) last_ = before[last];
    text_.skip(before.size());
    if (brace == ahead.npos) continue;
    text_.skip();
    // Behind a colon it is a value of the event that was given up, most often its arguments.
    const bool element = last_ == ',' || last_ == '[';
    last_ = '{';
    skip_blanks();
    if (element && text_.peek() == '"') return true;
  }
  return false;
}

std::uint64_t TraceScanner::skip_blanks() {
  std::uint64_t blanks = 0;
  for (std::string_view ahead = text_.ahead(); !ahead.empty(); ahead = text_.ahead()) {
    std::size_t length = 0;
    while (length < ahead.size() && is_trace_blank(ahead[length])) ++length;
    blanks += length;
    require_length(blanks, most_blank_bytes, "a run of blanks");
    text_.skip(length);
    if (length < ahead.size()) break;
  }
  return blanks;
}

void TraceScanner::keep(std::string_view part) {
  const std::size_t size = value_.size();
  value_.append(part.substr(0, most_kept_bytes - std::min(most_kept_bytes, size)));
  std::replace_if(
      value_.begin() + static_cast<std::ptrdiff_t>(size), value_.end(),
      [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f'; }, ' ');
}

void TraceScanner::require_length(std::uint64_t bytes, std::uint64_t most, std::string_view what) const {
  if (bytes <= most) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: {} of more than {} bytes, from byte {} of the text on", text_.path().string(), what, most,
                  start_ + 1),
      "no profiler writes that: name a trace of PyTorch's profiler, prof.export_chrome_trace(\"FILE.json.gz\")");
}

}  // namespace stepgate
