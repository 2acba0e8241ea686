#include "core/text/printable_text.h"

#include "core/text/code_point.h"

namespace stepgate {

std::string printable_text(std::string_view text, std::string_view kept) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const bool is_kept = kept.find(text.front()) != std::string_view::npos;
    const bool shown = is_kept || (point.value && !is_control(*point.value));
    printable += shown ? text.substr(0, point.length) : "?";
    text.remove_prefix(point.length);
  }
  return printable;
}

}  // namespace stepgate
