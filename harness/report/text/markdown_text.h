// Names and messages come from programs, files and pull requests. These functions keep them plain text inside Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// Prose on one line of GitHub's Markdown, also in a table cell or an HTML block. It renders as `text` without any
/// markup, HTML, link, image, formula, mention or reference to an issue. Control characters and line breaks change as
/// in terminal_text(). A text longer than `width` characters loses its middle.
std::string markdown_text(std::string_view text, std::size_t width = 600);

/// The same as code, for names and commits. It uses `<code>`, because backticks cannot hold a '|' after a '\' in a
/// table.
/// "" for "".
std::string markdown_code(std::string_view text, std::size_t width = 160);

/// Lines, without what a terminal would interpret, between fences longer than any run of backticks in them. Ends with a
/// line end.
std::string markdown_fence(std::string_view language, const std::vector<std::string>& lines);

}  // namespace stepgate
