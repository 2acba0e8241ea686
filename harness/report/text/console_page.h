// Lines of a terminal page: labelled paragraphs with a hanging indent, and colour that only repeats a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.h"
#include "report/text/console_style.h"

namespace stepgate {

class ConsolePage {
 public:
  explicit ConsolePage(const ConsoleStyle& style) : style_(style) {}

  void blank();
  /// The line unchanged, not cleaned or wrapped: for lines that are laid out already.
  void line(const std::string& text);
  /// "  label      text", wrapped under its own start. Nothing for an empty text.
  void paragraph(std::string_view label, std::string_view text);
  /// As paragraph(), but never wrapped: commands and paths must stay in one piece.
  void verbatim(std::string_view label, std::string_view text);

  /// The text without what a terminal would interpret.
  std::string clean(std::string_view text) const;
  /// The text in the colour of the status, if colour is on.
  std::string painted(const std::string& text, Status status) const;
  std::string_view separator() const { return style_.ascii ? " - " : " · "; }
  std::size_t width() const;
  const ConsoleStyle& style() const { return style_; }
  const std::string& text() const { return text_; }

 private:
  ConsoleStyle style_;
  std::string text_;
};

}  // namespace stepgate
