// Fills a HistorySession from the stream of JSON values of its file. Internal to json/ (mentions nlohmann).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/stored/history.h"

namespace stepgate {

/// A handler of nlohmann::json::sax_parse. The document has a fixed form, so the depth and the keys above a value say
/// what it is:
///   schema.name, class, utc, commit, commit_number, commit_utc, first_parent_number, sequence, run
///   parents = [text, ...]
///   keys.DIGEST.FACT = text
///   cases.CASE.HALF.key = text, cases.CASE.HALF.values.METRIC = [median, replicates, spread]
///   cases.CASE.HALF.repetitions.METRIC = number
/// Keys that are unknown are ignored with all that is below them. Throws Error(usage).
class SessionHandler {
 public:
  using Parsed = nlohmann::json;

  SessionHandler(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  bool null();
  bool boolean(bool);
  bool number_integer(Parsed::number_integer_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(Parsed::number_unsigned_t value) { return number(static_cast<double>(value)); }
  bool number_float(Parsed::number_float_t value, const std::string&) { return number(value); }
  bool string(std::string& text);
  bool binary(Parsed::binary_t&) { return false; }
  bool start_object(std::size_t);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  bool key(std::string& name);
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error);

  /// Checks what must be there. Call once, after the whole text was parsed.
  HistorySession take();

 private:
  static constexpr std::size_t value_depth = 5;      ///< inside cases.CASE.HALF.values or .repetitions
  static constexpr std::size_t most_depth = 6;       ///< inside the array of a metric
  static constexpr double most_whole_number = 1e15;  ///< a double holds each smaller one
  static constexpr std::size_t most_parents = 64;    ///< own choice: merges of more than a dozen are unheard of

  bool number(double value);
  void top_level_number(double value);
  std::int64_t whole_number(double value) const;
  bool in(std::size_t depth, std::string_view top) const { return depth_ == depth && keys_[0] == top; }
  bool in_repetitions() const { return in(value_depth, "cases") && keys_[3] == "repetitions"; }
  std::string path() const;
  [[noreturn]] void fail(const std::string& problem) const;
  /// A document of another kind: the folder may not be a history at all.
  [[noreturn]] void fail_foreign(const std::string& name) const;
  [[noreturn]] void expected(std::string_view what) const;
  void open_case();

  std::string_view text_;
  std::string source_;
  std::size_t depth_ = 0;    ///< open objects and arrays
  std::size_t ignored_ = 0;  ///< those of them below an unknown key
  bool in_parents_ = false;
  std::array<std::string, most_depth> keys_;
  HistorySession session_;
  bool cases_are_sorted_ = true;  ///< those so far
  HistoryHalf* half_ = nullptr;
  std::array<double, 3> numbers_{};
  std::size_t count_ = 0;
  std::set<std::string> seen_;  ///< keys of the top level
  std::optional<std::int64_t> major_;
  std::string schema_name_;
};

}  // namespace stepgate
