// Names and messages come from programs, files and pull requests: inside Markdown they stay text, whatever they hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// Prose on one line of GitHub's Markdown, also in a table cell or an HTML block: reads as `text` does and starts
/// nothing: no markup, HTML, link, image, formula, mention or reference to an issue. What a terminal would act on and
/// line breaks go as in terminal_text(). At most `width` characters of `text`, which loses its middle.
std::string markdown_text(std::string_view text, std::size_t width = 600);

/// The same as code, for names and commits: `<code>` rather than backticks, which cannot hold a '|' behind a '\' in a
/// table. "" for "".
std::string markdown_code(std::string_view text, std::size_t width = 160);

/// Lines as they are, without what a terminal would act on, between fences longer than any run of backticks in them.
/// Ends with a line end.
std::string markdown_fence(std::string_view language, const std::vector<std::string>& lines);

}  // namespace stepgate
