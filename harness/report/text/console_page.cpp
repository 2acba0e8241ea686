#include "report/text/console_page.h"

#include <algorithm>

#include "report/text/clean_text.h"
#include "report/text/console_colour.h"

namespace stepgate {
namespace {

constexpr std::size_t label_width = 11;  // "reproduce" and its gap
constexpr std::size_t indent = 2;
/// Wrapping below this width does not make a page easier to read.
constexpr std::size_t narrowest = 40;

std::string margin_of(std::string_view label) {
  return std::string(indent, ' ') + padded_right(std::string(label), label_width);
}

}  // namespace

void ConsolePage::blank() { text_ += '\n'; }

void ConsolePage::line(const std::string& text) {
  std::string trimmed = text;
  while (trimmed.ends_with(' ')) trimmed.pop_back();
  text_ += trimmed + '\n';
}

void ConsolePage::paragraph(std::string_view label, std::string_view text) {
  if (text.empty()) return;
  std::string margin = margin_of(label);
  for (const std::string& part : wrapped(clean(text), width() - margin.size())) {
    line(margin + part);
    margin.assign(margin.size(), ' ');
  }
}

void ConsolePage::verbatim(std::string_view label, std::string_view text) {
  if (!text.empty()) line(margin_of(label) + clean(text));
}

std::string ConsolePage::clean(std::string_view text) const { return terminal_text(text, style_.ascii); }

std::string ConsolePage::painted(const std::string& text, Status status) const {
  return style_.color ? std::string(colour_of(status)) + text + std::string(colour_end) : text;
}

std::size_t ConsolePage::width() const {
  return std::max(narrowest, static_cast<std::size_t>(std::max(style_.width, 0)));
}

}  // namespace stepgate
