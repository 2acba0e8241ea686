#include "json/text/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/text/case_name.h"
#include "core/text/excerpt.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

struct NonFiniteName {
  std::string_view name;
  double value;
};

constexpr std::array<NonFiniteName, 3> non_finite_names = {{{"nan", std::numeric_limits<double>::quiet_NaN()},
                                                            {"inf", std::numeric_limits<double>::infinity()},
                                                            {"-inf", -std::numeric_limits<double>::infinity()}}};

std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("; did you mean \"{}\"?", excerpt(*nearest)) : "";
}

std::string path_with(const std::string& path, std::string_view key) {
  const std::string name = excerpt(key);
  if (key.find_first_of(". []\"") != std::string_view::npos) return fmt::format("{}[\"{}\"]", path, name);
  return path.empty() ? name : fmt::format("{}.{}", path, name);
}

}  // namespace

void Reader::check_schema() {
  const DocumentType& type = origin_->type;
  if (tree_->kind(value_) != ValueKind::object) expected(fmt::format("{} (a JSON object)", type.label));
  std::optional<Reader> schema = find("schema");
  if (!schema) fail(fmt::format("the key \"schema\" is missing, so this is not {}", type.label));
  const Reader name = schema->at("name");
  if (name.text() != type.name) name.expected(fmt::format("\"{}\" ({})", type.name, type.label));
  const Reader major = schema->at("major");
  if (major.integer() != type.major) {
    throw Error(type.error_kind,
                fmt::format("{}: {}: this stepgate reads major version {} of {}, found {}", origin_->source,
                            major.path(), type.major, type.name, major.integer()),
                fmt::format("use the stepgate that wrote it, or {}", type.remedy));
  }
  const std::int64_t minor = schema->at("minor").integer();
  if (minor < 0) schema->at("minor").expected("0 or more");
  newer_ = minor > type.minor;
  if (!newer_) schema->reject_other_keys();
}

Reader Reader::at(std::string_view key) {
  if (std::optional<Reader> found = find(key)) return *std::move(found);
  std::vector<std::string_view> present;
  for (std::size_t member = value_ + 1; member < tree_->end(value_); member = tree_->end(member)) {
    const std::string_view name = tree_->key(member);
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) present.push_back(name);
  }
  const auto nearest = nearest_name(key, present);
  fail(fmt::format("the key \"{}\" is missing{}", key,
                   nearest ? fmt::format(" (is \"{}\" meant to be it?)", excerpt(*nearest)) : ""));
}

std::optional<Reader> Reader::find(std::string_view key) {
  constexpr std::size_t usual_keys = 16;
  if (asked_.empty()) asked_.reserve(usual_keys);
  asked_.push_back(key);
  const std::optional<std::size_t> member = member_named(key);
  if (!member) return std::nullopt;
  return Reader(*member, *this);
}

std::optional<std::size_t> Reader::member_named(std::string_view key) {
  require_object();
  const std::size_t first = value_ + 1;
  const std::size_t next = std::max(first, next_);
  std::optional<std::size_t> member = member_between(next, tree_->end(value_), key);
  if (!member) member = member_between(first, next, key);
  if (member) next_ = tree_->end(*member);
  return member;
}

std::optional<std::size_t> Reader::member_between(std::size_t begin, std::size_t end, std::string_view key) const {
  for (std::size_t member = begin; member < end; member = tree_->end(member)) {
    if (tree_->key(member) == key) return member;
  }
  return std::nullopt;
}

void Reader::reject_other_keys() const {
  require_object();
  for (std::size_t member = value_ + 1; member < tree_->end(value_); member = tree_->end(member)) {
    const std::string_view name = tree_->key(member);
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    const Reader unknown(member, *this);
    unknown.fail(fmt::format("unknown key{}", suggestion(name, asked_)));
  }
}

std::string Reader::text() const {
  if (tree_->kind(value_) != ValueKind::text) expected("a text");
  return std::string(tree_->text(value_));
}

std::int64_t Reader::integer() const {
  if (!is_integer()) expected("an integer");
  if (is_integer_beyond_double()) expected("an integer from -2^53 to 2^53");
  const bool no_sign = tree_->kind(value_) == ValueKind::unsigned_integer;
  return no_sign ? static_cast<std::int64_t>(tree_->unsigned_integer(value_)) : tree_->integer(value_);
}

bool Reader::is_integer_beyond_double() const {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  switch (tree_->kind(value_)) {
    case ValueKind::integer:
      return tree_->integer(value_) < -largest || tree_->integer(value_) > largest;
    case ValueKind::unsigned_integer:
      return tree_->unsigned_integer(value_) > std::uint64_t{largest};
    default:
      return false;
  }
}

std::int64_t Reader::count() const {
  const std::int64_t value = integer();
  if (value < 0) expected("a count, 0 or more");
  return value;
}

std::uint64_t Reader::unsigned_integer() const {
  if (tree_->kind(value_) != ValueKind::unsigned_integer) expected("an integer, 0 or more");
  return tree_->unsigned_integer(value_);
}

double Reader::number() const {
  switch (tree_->kind(value_)) {
    case ValueKind::number:
      return tree_->number(value_);
    case ValueKind::integer:
      return static_cast<double>(tree_->integer(value_));
    case ValueKind::unsigned_integer:
      return static_cast<double>(tree_->unsigned_integer(value_));
    default:
      expected("a number");
  }
}

double Reader::number_or_non_finite() const {
  for (const NonFiniteName& known : non_finite_names) {
    if (tree_->kind(value_) == ValueKind::text && tree_->text(value_) == known.name) return known.value;
  }
  if (!is_number()) expected("a number, \"nan\", \"inf\" or \"-inf\"");
  return number();
}

bool Reader::boolean() const {
  if (tree_->kind(value_) != ValueKind::boolean) expected("true or false");
  return tree_->boolean(value_);
}

void Reader::require_object() const {
  if (tree_->kind(value_) != ValueKind::object) expected("an object");
}

void Reader::require_array() const {
  if (tree_->kind(value_) != ValueKind::array) expected("an array");
}

std::string Reader::path() const {
  std::string path;
  for (std::size_t at = 0; at != value_;) {
    const bool in_array = tree_->kind(at) == ValueKind::array;
    std::size_t index = 0;
    std::size_t child = at + 1;
    for (; tree_->end(child) <= value_; child = tree_->end(child)) ++index;
    path = in_array ? fmt::format("{}[{}]", path, index) : path_with(path, tree_->key(child));
    at = child;
  }
  return path;
}

std::string Reader::json_text() const {
  return json_of(*tree_, value_).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Reader::found() const {
  if (tree_->kind(value_) == ValueKind::object) return "an object";
  if (tree_->kind(value_) == ValueKind::array) return "an array";
  return excerpt(json_text());
}

void Reader::expected(std::string_view what) const { fail(fmt::format("expected {}, found {}", what, found())); }

void Reader::fail(std::string_view problem) const {
  const std::string at = path();
  throw Error(origin_->type.error_kind, fmt::format("{}: {}{}{}", origin_->source, at, at.empty() ? "" : ": ", problem),
              std::string(origin_->type.remedy));
}

Json write_non_finite(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::string filled_text_at(const Reader& reader) {
  const std::string text = reader.text();
  if (text.find_first_not_of(' ') == std::string::npos) reader.expected("a text that is not empty");
  return text;
}

std::string case_name_or_none_at(const Reader& reader) {
  const std::string name = reader.text();
  return name.empty() ? name : case_name_at(reader);
}

std::string case_name_at(const Reader& reader) {
  const std::string name = reader.text();
  if (!is_case_name(name)) reader.expected("a name like \"language/char_lm/tiny\", of a-z, 0-9, _ and /");
  return name;
}

}  // namespace stepgate
