#include "report/text/workflow_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr std::size_t widest_title = 200;     // the checks API takes 255 characters
constexpr std::size_t widest_message = 4000;  // the API takes 64 KiB, which is too long beside a diff

/// The runner decodes exactly these (actions/toolkit, docs/commands.md). '%' comes first, or it would escape the others
/// again.
std::string escaped(std::string_view text, bool is_property) {
  std::string result;
  for (char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','))) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

/// Cleans line by line: line breaks stay, everything else that a terminal would interpret is removed.
std::string cleaned(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += (begin == 0 ? "" : "\n") + terminal_text(text.substr(begin, end - begin), false);
    begin = end + 1;
  }
  return shortened(result, widest_message, false);
}

}  // namespace

std::string workflow_command(const WorkflowAnnotation& annotation) {
  std::string properties;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    properties += fmt::format("{}{}={}", properties.empty() ? " " : ",", name, escaped(value, true));
  };
  add("file", terminal_text(annotation.file, false));
  if (annotation.line > 0 && !annotation.file.empty()) add("line", fmt::format("{}", annotation.line));
  add("title", shortened(terminal_text(annotation.title, false), widest_title, false));
  return fmt::format("::{}{}::{}\n", annotation.kind, properties, escaped(cleaned(annotation.message), false));
}

}  // namespace stepgate
