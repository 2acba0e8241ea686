#include "json/text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/text/excerpt.h"

namespace stepgate {
namespace {

[[noreturn]] void fail(const Origin& origin, const std::string& message) {
  throw Error(origin.type.error_kind, fmt::format("{}{}", origin.source, message), std::string(origin.type.remedy));
}

/// The line of text.substr(start), without its end.
std::string_view line_at(std::string_view text, std::size_t start) {
  return text.substr(start, text.find_first_of("\r\n", start) - start);
}

bool is_conflict_marker(std::string_view line) {
  return line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>") || line.starts_with("|||||||") || line == "=======";
}

// No line of valid JSON starts with a marker, because a string cannot contain a raw line end.
void reject_conflict_markers(std::string_view text, const Origin& origin) {
  std::size_t number = 1;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::string_view line = line_at(text, start);
    if (is_conflict_marker(line)) {
      throw Error(origin.type.error_kind,
                  fmt::format("{}:{}: unresolved git conflict (\"{}\")", origin.source, number, line.substr(0, 7)),
                  fmt::format("remeasure: take either side whole (git checkout --theirs -- {}), then {}. "
                              "Two sides of this file cannot be merged by hand.",
                              origin.source, origin.type.remedy));
    }
    const std::size_t end = text.find('\n', start);
    start = end == std::string_view::npos ? text.size() : end + 1;
  }
}

/// nlohmann's sentence without its error number and its own position.
std::string_view sentence_in(std::string_view message) {
  if (const std::size_t at = message.find(" - "); at != std::string_view::npos) return message.substr(at + 3);
  if (const std::size_t at = message.find("] "); at != std::string_view::npos) return message.substr(at + 2);
  return message;
}

/// The sentence, with the text that it quotes cut. The quote begins where the string of the file begins.
std::string reason_in(std::string_view message) {
  const std::string_view sentence = sentence_in(message);
  constexpr std::string_view before_quote = "last read: '";
  const std::size_t at = sentence.find(before_quote);
  const std::size_t end = sentence.rfind('\'');
  if (at == std::string_view::npos || end < at + before_quote.size()) return std::string(sentence);
  const std::size_t begin = at + before_quote.size();
  return fmt::format("{}{}{}", sentence.substr(0, begin), excerpt(sentence.substr(begin, end - begin)),
                     sentence.substr(end));
}

void refuse_too_long(std::string_view text, const Origin& origin) {
  if (text.size() <= origin.type.most_bytes) return;
  fail(origin, fmt::format(": {} bytes are too many: {} may have {} MiB", text.size(), origin.type.label,
                           origin.type.most_bytes / mebibyte));
}

/// Builds the tree from nlohmann's parse events, to find duplicate keys (nlohmann accepts them and keeps the last) and
/// the position of every error.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const Origin& origin) : text_(text), origin_(origin) {}
  Json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // never in JSON text
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    count_value();
    levels_.back().key = name;
    if (!levels_.back().keys.insert(name).second) {
      fail(origin_, fmt::format(": {}: duplicate key", path()));
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& exception) {
    const std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const std::string reason = reason_in(exception.what());
    const bool cut = reason.find("unexpected end of input") != std::string::npos;
    fail(origin_, fmt::format(":{}:{}: {}: {}", line, before.size() - line_start + 1,
                              cut ? "the file ends too early (cut off?)" : "not valid JSON", reason));
  }

 private:
  struct Level {
    Json* value;
    std::set<std::string> keys = {};
    std::string key = {};  // the one being read
  };

  std::string path() const {
    std::string result;
    for (const Level& level : levels_) {
      if (level.value->is_array()) {
        result += fmt::format("[{}]", level.value->size() - 1);
      } else {
        result += (result.empty() ? "" : ".") + level.key;
      }
    }
    return excerpt(result, 2 * most_quoted_characters);
  }

  void count_value() {
    if (++values_ > most_values) fail(origin_, fmt::format(": more than {} values and keys", most_values));
  }

  Json& place(Json value) {
    count_value();
    if (levels_.empty()) return root_ = std::move(value);
    Level& level = levels_.back();
    if (level.value->is_array()) {
      level.value->push_back(std::move(value));
      return level.value->back();
    }
    // Appended without the linear search of operator[]: key() checked that it is new.
    auto& members = level.value->get_ref<Json::object_t&>();
    members.emplace_back(level.key, std::move(value));
    return members.back().second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() == most_nested_levels) {
      fail(origin_, fmt::format(": {}: more than {} levels of nesting", path(), most_nested_levels));
    }
    levels_.push_back({&place(std::move(value))});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  const Origin& origin_;
  Json root_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
};

}  // namespace

Json parse_document(std::string_view text, const Origin& origin) {
  refuse_too_long(text, origin);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) fail(origin, ": the file is empty");
  reject_conflict_markers(text, origin);
  TreeBuilder builder(text, origin);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

Json document_of(const DocumentType& type) {
  Json document = Json::object();
  document["schema"] = {{"name", type.name}, {"major", type.major}, {"minor", type.minor}};
  return document;
}

}  // namespace stepgate
