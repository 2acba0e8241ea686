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

/// A key or an index on the way to a value.
struct Step {
  const std::string* key = nullptr;  ///< null: an element of an array
  std::size_t index = 0;
};

/// Adds the steps from `tree` to `wanted`, the last one first. False where `wanted` lies elsewhere.
bool found_way(const Json& tree, const Json& wanted, std::vector<Step>& way) {
  if (&tree == &wanted) return true;
  if (tree.is_object()) {
    for (const auto& [key, value] : tree.get_ref<const Json::object_t&>()) {
      if (!found_way(value, wanted, way)) continue;
      way.push_back({.key = &key});
      return true;
    }
  } else if (tree.is_array()) {
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (!found_way(tree[i], wanted, way)) continue;
      way.push_back({.index = i});
      return true;
    }
  }
  return false;
}

std::string path_with(const std::string& path, const Step& step) {
  if (step.key == nullptr) return fmt::format("{}[{}]", path, step.index);
  const std::string name = excerpt(*step.key);
  if (step.key->find_first_of(". []\"") != std::string::npos) return fmt::format("{}[\"{}\"]", path, name);
  return path.empty() ? name : fmt::format("{}.{}", path, name);
}

}  // namespace

void Reader::check_schema() {
  const DocumentType& type = origin_->type;
  if (!value_->is_object()) expected(fmt::format("{} (a JSON object)", type.label));
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
  for (const auto& [name, value] : object()) {
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
  const Json* member = member_named(key);
  if (member == nullptr) return std::nullopt;
  return Reader(*member, *this);
}

const Json* Reader::member_named(std::string_view key) {
  const Json::object_t& members = object();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::size_t at = (next_ + i) % members.size();
    const auto& [name, value] = members.data()[at];
    if (name != key) continue;
    next_ = at + 1;
    return &value;
  }
  return nullptr;
}

void Reader::reject_other_keys() const {
  for (const auto& [name, value] : object()) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    const Reader unknown(value, *this);
    unknown.fail(fmt::format("unknown key{}", suggestion(name, asked_)));
  }
}

std::string Reader::text() const {
  if (!value_->is_string()) expected("a text");
  return value_->get_ref<const std::string&>();
}

std::int64_t Reader::integer() const {
  if (!value_->is_number_integer()) expected("an integer");
  if (is_integer_beyond_double()) expected("an integer from -2^53 to 2^53");
  return value_->get<std::int64_t>();
}

bool Reader::is_integer_beyond_double() const {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  if (!value_->is_number_integer()) return false;
  const auto value = value_->get<std::int64_t>();
  const bool too_large = value_->is_number_unsigned() && value_->get<std::uint64_t>() > largest;
  return too_large || value < -largest || value > largest;
}

std::int64_t Reader::count() const {
  const std::int64_t value = integer();
  if (value < 0) expected("a count, 0 or more");
  return value;
}

std::uint64_t Reader::unsigned_integer() const {
  if (!value_->is_number_unsigned()) expected("an integer, 0 or more");
  return value_->get<std::uint64_t>();
}

double Reader::number() const {
  if (!value_->is_number()) expected("a number");
  return value_->get<double>();
}

double Reader::number_or_non_finite() const {
  for (const NonFiniteName& known : non_finite_names) {
    if (value_->is_string() && value_->get_ref<const std::string&>() == known.name) return known.value;
  }
  if (!value_->is_number()) expected("a number, \"nan\", \"inf\" or \"-inf\"");
  return value_->get<double>();
}

bool Reader::boolean() const {
  if (!value_->is_boolean()) expected("true or false");
  return value_->get<bool>();
}

const Json::object_t& Reader::object() const {
  if (!value_->is_object()) expected("an object");
  return value_->get_ref<const Json::object_t&>();
}

const Json& Reader::array() const {
  if (!value_->is_array()) expected("an array");
  return *value_;
}

std::string Reader::path() const {
  std::vector<Step> way;
  found_way(*root_, *value_, way);
  std::string path;
  for (auto step = way.rbegin(); step != way.rend(); ++step) path = path_with(path, *step);
  return path;
}

std::string Reader::found() const {
  if (value_->is_object()) return "an object";
  if (value_->is_array()) return "an array";
  return excerpt(value_->dump(-1, ' ', false, Json::error_handler_t::replace));
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
