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

constexpr std::string_view begins_of_markers = "<>|=";

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
    // Few lines begin as a marker does, so the others are only counted.
    const bool may_be_marker = begins_of_markers.find(text[start]) != std::string_view::npos;
    const std::string_view line = may_be_marker ? line_at(text, start) : std::string_view();
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

/// Up to so many keys of an object are compared one by one: a set of them takes longer to build than the tree.
constexpr std::size_t few_keys = 16;

/// The vector behind nlohmann's ordered object copies whole subtrees when it grows, because its keys are const.
void make_room_for_one(Json::object_t& members) {
  constexpr std::size_t usual_members = 8;
  if (members.size() < members.capacity()) return;
  Json::object_t larger;
  larger.reserve(std::max(usual_members, 2 * members.capacity()));
  for (auto& [key, value] : members) larger.emplace_back(key, std::move(value));
  members.swap(larger);
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
  bool string(const std::string& value) { return add(value); }  // a copy: the parser keeps its buffer for the next one
  bool binary(Json::binary_t&) { return false; }                // never in JSON text
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  /// The value of the key follows, and takes the place of null.
  bool key(const std::string& name) {
    count_value();
    Level& level = levels_.back();
    auto& members = level.value->get_ref<Json::object_t&>();
    const bool is_new = is_new_key(level, members, name);
    make_room_for_one(members);
    members.emplace_back(name, Json());
    if (!is_new) fail(origin_, fmt::format(": {}: duplicate key", path()));
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
    std::set<std::string> keys = {};  // of an object with more than few_keys
  };

  static bool is_new_key(Level& level, const Json::object_t& members, const std::string& name) {
    if (members.size() < few_keys)
      return std::none_of(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
    if (level.keys.empty()) {
      for (const auto& [key, value] : members) level.keys.insert(key);
    }
    return level.keys.insert(name).second;
  }

  std::string path() const {
    std::string result;
    for (const Level& level : levels_) {
      if (level.value->is_array()) {
        result += fmt::format("[{}]", level.value->size() - 1);
      } else {
        result += (result.empty() ? "" : ".") + level.value->get_ref<const Json::object_t&>().back().first;
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
    Json& parent = *levels_.back().value;
    if (!parent.is_array()) return parent.get_ref<Json::object_t&>().back().second = std::move(value);
    parent.push_back(std::move(value));
    return parent.back();
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

Json object_with_room(std::size_t members) {
  Json object = Json::object();
  object.get_ref<Json::object_t&>().reserve(members);
  return object;
}

Json document_of(const DocumentType& type) {
  constexpr std::size_t most_members = 32;
  Json document = object_with_room(most_members);
  document["schema"] = {{"name", type.name}, {"major", type.major}, {"minor", type.minor}};
  return document;
}

}  // namespace stepgate
