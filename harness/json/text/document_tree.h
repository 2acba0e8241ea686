// A parsed document as Reader reads it: all values in one array, all texts in one string. A measurement has tens of
// thousands of values, and a tree of nlohmann's costs several allocations for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/text/document.h"

namespace stepgate {

enum class ValueKind : std::uint8_t { null, boolean, integer, unsigned_integer, number, text, array, object };

/// Values are numbered in the order of the text: the children of a value follow it, and the root is 0.
class DocumentTree {
 public:
  ValueKind kind(std::size_t value) const { return nodes_[value].kind; }
  /// The children of a value are value + 1, the end of that one, and so on up to the end of the value.
  std::size_t end(std::size_t value) const { return nodes_[value].end; }
  std::size_t children(std::size_t value) const { return nodes_[value].size; }
  std::string_view key(std::size_t member) const { return part(nodes_[member].key, nodes_[member].key_size); }

  /// Each is for a value of its kind.
  bool boolean(std::size_t value) const { return nodes_[value].content.boolean; }
  std::int64_t integer(std::size_t value) const { return nodes_[value].content.integer; }
  std::uint64_t unsigned_integer(std::size_t value) const { return nodes_[value].content.unsigned_integer; }
  double number(std::size_t value) const { return nodes_[value].content.number; }
  std::string_view text(std::size_t value) const { return part(nodes_[value].content.text, nodes_[value].size); }

 private:
  friend class TreeBuilder;

  /// Positions in texts_ and nodes_ have 32 bits: a text has 128 MiB at most (json/schema_version.h).
  struct Node {
    union {
      bool boolean;
      std::int64_t integer;
      std::uint64_t unsigned_integer;
      double number;
      std::size_t text;
    } content = {.unsigned_integer = 0};
    std::uint32_t key = 0;
    std::uint32_t key_size = 0;
    std::uint32_t size = 0;  ///< of a text its bytes, of an array or object its children
    std::uint32_t end = 0;
    ValueKind kind = ValueKind::null;
  };

  std::string_view part(std::size_t begin, std::size_t size) const {
    return std::string_view(texts_).substr(begin, size);
  }

  std::vector<Node> nodes_;
  std::string texts_;
};

/// Parses `text`. Throws an Error(origin.type.error_kind) that names line and column of a text that is empty,
/// truncated, malformed or holds an infinite number, the line of a git conflict marker, and a duplicate key. A text
/// that is longer than its type allows, or has more than most_nested_levels or most_values, is refused too.
DocumentTree read_document(std::string_view text, const Origin& origin);

/// The value as a tree of its own.
Json json_of(const DocumentTree& tree, std::size_t value);

/// read_document() for what is read by hand.
Json parse_document(std::string_view text, const Origin& origin);

}  // namespace stepgate
