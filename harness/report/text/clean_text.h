// Names and messages come from programs and files. These functions remove everything that a terminal or an XML parser
// would interpret. They also measure, cut and wrap a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// For a terminal, one line: control characters and bidirectional overrides become '?', line breaks and tabs a space,
/// malformed UTF-8 U+FFFD; with `ascii` everything beyond ASCII becomes '?'.
std::string terminal_text(std::string_view text, bool ascii);

/// For XML 1.0: controls and bidirectional overrides (a terminal that shows the file would obey them), what XML cannot
/// hold (surrogates, U+FFFE, U+FFFF) and malformed UTF-8 become U+FFFD. Escaping is left to the writer.
std::string xml_text(std::string_view text);

/// The code point, if the text is one character that a terminal would interpret.
std::optional<std::uint32_t> harmful_code_point(std::string_view character);

/// Columns of a valid UTF-8 text, one per code point.
std::size_t columns(std::string_view text);

/// At most `width` columns: a longer text loses its middle, because names differ at both ends.
std::string shortened(const std::string& text, std::size_t width, bool ascii);

std::string padded_right(const std::string& text, std::size_t width);
std::string padded_left(const std::string& text, std::size_t width);

/// Lines of at most `width` columns, broken at spaces; a word longer than that keeps its own line. Never empty.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace stepgate
