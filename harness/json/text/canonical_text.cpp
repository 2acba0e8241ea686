#include "json/text/canonical_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace stepgate {
namespace {

/// A key or an index on the way to a value. It becomes a text for the message of an error only.
struct WayTo {
  const WayTo* parent = nullptr;
  const std::string* key = nullptr;  ///< null: an element of an array
  std::size_t index = 0;
};

std::string path_of(const WayTo* way) {
  if (way == nullptr) return "";
  const std::string parent = path_of(way->parent);
  if (way->key == nullptr) return fmt::format("{}[{}]", parent, way->index);
  return parent.empty() ? *way->key : parent + "." + *way->key;
}

bool is_written_as_it_is(char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; }

class Writer {
 public:
  explicit Writer(const Origin& origin) : origin_(origin) {}
  std::string take() { return std::move(out_); }

  void write(const Json& value, const WayTo* way, std::size_t depth) {
    if (value.is_object() && !value.empty()) {
      write_object(value, way, depth);
    } else if (value.is_array() && !value.empty()) {
      write_array(value, way, depth);
    } else {
      write_scalar(value, way);
    }
  }

 private:
  void write_object(const Json& object, const WayTo* way, std::size_t depth) {
    std::string_view separator = "{\n";
    for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
      out_ += separator;
      indent(depth + 1);
      write_text(key);
      out_ += ": ";
      const WayTo member{.parent = way, .key = &key};
      write(value, &member, depth + 1);
      separator = ",\n";
    }
    out_ += '\n';
    indent(depth);
    out_ += '}';
  }

  void write_array(const Json& array, const WayTo* way, std::size_t depth) {
    const bool plain = std::none_of(array.begin(), array.end(), [](const Json& item) { return item.is_structured(); });
    out_ += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (plain) {
        out_ += i == 0 ? "" : ", ";
      } else {
        out_ += i == 0 ? "\n" : ",\n";
        indent(depth + 1);
      }
      const WayTo element{.parent = way, .index = i};
      write(array[i], &element, depth + 1);
    }
    if (!plain) {
      out_ += '\n';
      indent(depth);
    }
    out_ += ']';
  }

  /// dump() makes a writer with buffers of its own for each call, so texts and integers, which are most, go without it.
  void write_scalar(const Json& value, const WayTo* way) {
    if (value.is_string()) {
      write_text(value.get_ref<const std::string&>());
    } else if (value.is_number_unsigned()) {
      fmt::format_to(std::back_inserter(out_), "{}", value.get<std::uint64_t>());
    } else if (value.is_number_integer()) {
      fmt::format_to(std::back_inserter(out_), "{}", value.get<std::int64_t>());
    } else {
      require_finite(value, way);
      out_ += dumped(value);
    }
  }

  void write_text(const std::string& text) {
    if (std::all_of(text.begin(), text.end(), is_written_as_it_is)) {
      out_ += '"';
      out_ += text;
      out_ += '"';
    } else {
      out_ += dumped(text);
    }
  }

  static std::string dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

  void require_finite(const Json& value, const WayTo* way) const {
    if (!value.is_number_float() || std::isfinite(value.get<double>())) return;
    throw Error(origin_.type.error_kind,
                fmt::format("{}: {}: not a finite number ({}), which {} cannot hold", origin_.source, path_of(way),
                            value.get<double>(), origin_.type.label),
                std::string(origin_.type.remedy));
  }

  void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

  const Origin& origin_;
  std::string out_;
};

}  // namespace

std::string canonical_text(const Json& document, const Origin& origin) {
  Writer writer(origin);
  writer.write(document, nullptr, 0);
  return writer.take() + "\n";
}

}  // namespace stepgate
