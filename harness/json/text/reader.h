// A position in a parsed document. Every error names file, key path, the expected and the found value:
//   tiny.json: exact.operators_per_step[3]: expected an integer, found "12"
// Internal to json/ (mentions nlohmann).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "json/text/document_tree.h"

namespace stepgate {

/// Refers to the tree and the origin, which must outlive it. All functions throw Error(origin.type.error_kind)
/// if the document does not match the call.
class Reader {
 public:
  Reader(const DocumentTree& tree, const Origin& origin) : tree_(&tree), origin_(&origin) {}

  /// Checks schema.name and schema.major against the origin's type. Call it on the root before anything else.
  void check_schema();
  /// True if check_schema() found a newer minor version than this program knows, which may have unknown keys.
  bool is_newer() const { return newer_; }

  Reader at(std::string_view key);                   ///< a required key
  std::optional<Reader> find(std::string_view key);  ///< an optional key
  /// Strict documents call this last: a key that was never read is an error that names the nearest read key.
  void reject_other_keys() const;

  std::string text() const;
  /// From -2^53 to 2^53: a double holds each of them, and sums and differences of a thousand of them fit in 64 bits.
  std::int64_t integer() const;
  bool is_integer_beyond_double() const;  ///< an integer that integer() refuses for its size
  /// A number of things or bytes: an integer from 0.
  std::int64_t count() const;
  std::uint64_t unsigned_integer() const;
  double number() const;                ///< finite
  double number_or_non_finite() const;  ///< also "nan", "inf", "-inf", as write_non_finite() writes them
  bool boolean() const;
  bool is_null() const { return tree_->kind(value_) == ValueKind::null; }
  bool is_number() const { return is_integer() || tree_->kind(value_) == ValueKind::number; }

  /// Values of all keys of an object, each read with `read`, e.g. map_of(&Reader::integer).
  template <typename Read>
  auto map_of(Read read) const {
    require_object();
    std::map<std::string, std::decay_t<std::invoke_result_t<Read, Reader&>>> result;
    for (std::size_t at = value_ + 1; at < tree_->end(value_); at = tree_->end(at)) {
      Reader member(at, *this);
      result.emplace_hint(result.end(), std::string(tree_->key(at)), std::invoke(read, member));
    }
    return result;
  }

  /// Elements of an array, each read with `read`.
  template <typename Read>
  auto list_of(Read read) const {
    require_array();
    std::vector<std::decay_t<std::invoke_result_t<Read, Reader&>>> result;
    result.reserve(tree_->children(value_));
    for (std::size_t at = value_ + 1; at < tree_->end(value_); at = tree_->end(at)) {
      Reader element(at, *this);
      result.push_back(std::invoke(read, element));
    }
    return result;
  }

  std::vector<std::string> texts() const { return list_of(&Reader::text); }
  std::vector<std::int64_t> integers() const { return list_of(&Reader::integer); }
  std::vector<std::int64_t> counts() const { return list_of(&Reader::count); }
  std::vector<double> numbers() const { return list_of(&Reader::number); }
  std::map<std::string, std::string> text_map() const { return map_of(&Reader::text); }

  /// A text that `named` (e.g. group_named) accepts; the message lists `names`.
  template <typename Named>
  auto one_of(Named named, std::string_view names) const {
    const auto result = named(text());
    if (!result) expected(std::string("one of ") + std::string(names));
    return *result;
  }

  /// "exact.operators_per_step[3]"; only errors need it, so it is made from the tree.
  std::string path() const;
  /// The value and all that it holds, as JSON on one line: a document in a document.
  std::string json_text() const;
  const Origin& origin() const { return *origin_; }
  /// Error "<file>: <path>: expected <what>, found <value>".
  [[noreturn]] void expected(std::string_view what) const;
  /// Error "<file>: <path>: <problem>".
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  /// Of a value below that of `parent`.
  Reader(std::size_t value, const Reader& parent)
      : tree_(parent.tree_), value_(value), origin_(parent.origin_), newer_(parent.newer_) {}
  bool is_integer() const {
    return tree_->kind(value_) == ValueKind::integer || tree_->kind(value_) == ValueKind::unsigned_integer;
  }
  void require_object() const;
  void require_array() const;
  std::optional<std::size_t> member_named(std::string_view key);
  std::optional<std::size_t> member_between(std::size_t begin, std::size_t end, std::string_view key) const;
  std::string found() const;

  const DocumentTree* tree_;
  std::size_t value_ = 0;
  const Origin* origin_;
  bool newer_ = false;
  std::size_t next_ = 0;                 // after the member found last: keys are read in about their order in the file
  std::vector<std::string_view> asked_;  // keys, for reject_other_keys()
};

/// An object of counts: sums by operator, boundary or kind.
inline std::map<std::string, std::int64_t> totals_at(const Reader& reader) { return reader.map_of(&Reader::count); }

/// A text that is not empty or blank.
std::string filled_text_at(const Reader& reader);

/// A case name (core/text/case_name.h): results, baselines and policies lie in folders of these names.
std::string case_name_at(const Reader& reader);
/// The same, or "" where the document has no case.
std::string case_name_or_none_at(const Reader& reader);

/// Writes a non-finite number as text, where a document allows one; a finite number stays a number.
Json write_non_finite(double value);

}  // namespace stepgate
