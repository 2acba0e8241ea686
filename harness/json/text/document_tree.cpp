#include "json/text/document_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
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

}  // namespace

/// Builds the tree from nlohmann's parse events, to find duplicate keys (nlohmann accepts them and keeps the last) and
/// the position of every error.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const Origin& origin) : text_(text), origin_(origin) {
    constexpr std::size_t usual_bytes_of_a_value = 24;
    tree_.nodes_.reserve(text.size() / usual_bytes_of_a_value);
    tree_.texts_.reserve(text.size() / 2);
  }
  DocumentTree take() { return std::move(tree_); }

  bool null() { return add(ValueKind::null, {.unsigned_integer = 0}); }
  bool boolean(bool value) { return add(ValueKind::boolean, {.boolean = value}); }
  bool number_integer(std::int64_t value) { return add(ValueKind::integer, {.integer = value}); }
  bool number_unsigned(std::uint64_t value) { return add(ValueKind::unsigned_integer, {.unsigned_integer = value}); }
  bool number_float(double value, const std::string&) { return add(ValueKind::number, {.number = value}); }
  bool string(const std::string& value) {
    place(ValueKind::text, {.text = tree_.texts_.size()}).size = static_cast<std::uint32_t>(value.size());
    tree_.texts_ += value;
    return true;
  }
  bool binary(Json::binary_t&) { return false; }  // never in JSON text
  bool start_object(std::size_t) { return open(ValueKind::object); }
  bool start_array(std::size_t) { return open(ValueKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  /// The value of the key follows.
  bool key(const std::string& name) {
    count_value();
    Level& level = levels_.back();
    const bool is_new = is_new_key(level, name);
    level.key = static_cast<std::uint32_t>(tree_.texts_.size());
    level.key_size = static_cast<std::uint32_t>(name.size());
    tree_.texts_ += name;
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
  using Node = DocumentTree::Node;
  using Content = decltype(Node::content);

  struct Level {
    std::size_t value = 0;
    std::uint32_t key = 0;  // the one being read, in the texts of the tree
    std::uint32_t key_size = 0;
    std::set<std::string> keys = {};  // of an object with more than few_keys
  };

  bool is_new_key(Level& level, const std::string& name) const {
    const std::size_t end = tree_.nodes_.size();
    const bool is_small = tree_.children(level.value) < few_keys;
    if (!is_small && !level.keys.empty()) return level.keys.insert(name).second;
    bool is_new = true;
    for (std::size_t member = level.value + 1; member < end; member = tree_.end(member)) {
      is_new = is_new && tree_.key(member) != name;
      if (!is_small) level.keys.emplace(tree_.key(member));
    }
    if (!is_small) level.keys.insert(name);
    return is_new;
  }

  std::string path() const {
    std::string result;
    for (const Level& level : levels_) {
      if (tree_.kind(level.value) == ValueKind::array) {
        result += fmt::format("[{}]", tree_.children(level.value) - 1);
      } else {
        result += result.empty() ? "" : ".";
        result += tree_.part(level.key, level.key_size);
      }
    }
    return excerpt(result, 2 * most_quoted_characters);
  }

  void count_value() {
    if (++values_ > most_values) fail(origin_, fmt::format(": more than {} values and keys", most_values));
  }

  Node& place(ValueKind kind, Content content) {
    count_value();
    Node& node = tree_.nodes_.emplace_back();
    node.content = content;
    node.kind = kind;
    node.end = static_cast<std::uint32_t>(tree_.nodes_.size());
    if (levels_.empty()) return node;
    const Level& level = levels_.back();
    Node& parent = tree_.nodes_[level.value];
    ++parent.size;
    if (parent.kind != ValueKind::object) return node;
    node.key = level.key;
    node.key_size = level.key_size;
    return node;
  }

  bool add(ValueKind kind, Content content) {
    place(kind, content);
    return true;
  }
  bool open(ValueKind kind) {
    if (levels_.size() == most_nested_levels) {
      fail(origin_, fmt::format(": {}: more than {} levels of nesting", path(), most_nested_levels));
    }
    place(kind, {.unsigned_integer = 0});
    levels_.push_back({.value = tree_.nodes_.size() - 1});
    return true;
  }
  bool close() {
    tree_.nodes_[levels_.back().value].end = static_cast<std::uint32_t>(tree_.nodes_.size());
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  const Origin& origin_;
  DocumentTree tree_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
};

DocumentTree read_document(std::string_view text, const Origin& origin) {
  refuse_too_long(text, origin);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) fail(origin, ": the file is empty");
  reject_conflict_markers(text, origin);
  TreeBuilder builder(text, origin);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

Json json_of(const DocumentTree& tree, std::size_t value) {
  switch (tree.kind(value)) {
    case ValueKind::null:
      return nullptr;
    case ValueKind::boolean:
      return tree.boolean(value);
    case ValueKind::integer:
      return tree.integer(value);
    case ValueKind::unsigned_integer:
      return tree.unsigned_integer(value);
    case ValueKind::number:
      return tree.number(value);
    case ValueKind::text:
      return std::string(tree.text(value));
    case ValueKind::array:
      break;
    case ValueKind::object:
      break;
  }
  const bool is_object = tree.kind(value) == ValueKind::object;
  Json json = is_object ? object_with_room(tree.children(value)) : Json::array();
  for (std::size_t child = value + 1; child < tree.end(value); child = tree.end(child)) {
    if (is_object)
      json.get_ref<Json::object_t&>().emplace_back(std::string(tree.key(child)), json_of(tree, child));
    else
      json.push_back(json_of(tree, child));
  }
  return json;
}

Json parse_document(std::string_view text, const Origin& origin) { return json_of(read_document(text, origin), 0); }

}  // namespace stepgate
