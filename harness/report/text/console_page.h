// Lines of a terminal page: labelled paragraphs with a hanging indent, and colour that never carries meaning alone.
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
  /// As it is, uncleaned and unwrapped: for lines that are laid out already.
  void line(const std::string& text);
  /// "  label      text", wrapped under its own start. Nothing for an empty text.
  void paragraph(std::string_view label, std::string_view text);
  /// As paragraph, but never wrapped: commands and paths must stay in one piece.
  void verbatim(std::string_view label, std::string_view text);

  /// The text without what a terminal would act on.
  std::string clean(std::string_view text) const;
  /// In the colour of the status, where colour is wanted.
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
