#include "json/text/canonical_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stepgate {
namespace {

class Writer {
 public:
  explicit Writer(const Origin& origin) : origin_(origin) {}
  std::string take() { return std::move(out_); }

  void write(const Json& value, const std::string& path, std::size_t depth) {
    if (value.is_object() && !value.empty()) {
      write_object(value, path, depth);
    } else if (value.is_array() && !value.empty()) {
      write_array(value, path, depth);
    } else {
      write_scalar(value, path);
    }
  }

 private:
  void write_object(const Json& object, const std::string& path, std::size_t depth) {
    std::string separator = "{\n";
    for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
      out_ += separator;
      indent(depth + 1);
      write_scalar(key, path);
      out_ += ": ";
      write(value, path.empty() ? key : path + "." + key, depth + 1);
      separator = ",\n";
    }
    out_ += '\n';
    indent(depth);
    out_ += '}';
  }

  void write_array(const Json& array, const std::string& path, std::size_t depth) {
    const bool plain = std::none_of(array.begin(), array.end(), [](const Json& item) { return item.is_structured(); });
    out_ += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (plain) {
        out_ += i == 0 ? "" : ", ";
      } else {
        out_ += i == 0 ? "\n" : ",\n";
        indent(depth + 1);
      }
      write(array[i], fmt::format("{}[{}]", path, i), depth + 1);
    }
    if (!plain) {
      out_ += '\n';
      indent(depth);
    }
    out_ += ']';
  }

  void write_scalar(const Json& value, const std::string& path) {
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
      throw Error(origin_.type.error_kind,
                  fmt::format("{}: {}: not a finite number ({}), which {} cannot hold", origin_.source, path,
                              value.get<double>(), origin_.type.label),
                  std::string(origin_.type.remedy));
    }
    out_ += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

  const Origin& origin_;
  std::string out_;
};

}  // namespace

std::string canonical_text(const Json& document, const Origin& origin) {
  Writer writer(origin);
  writer.write(document, "", 0);
  return writer.take() + "\n";
}

}  // namespace stepgate
