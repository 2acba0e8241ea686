// A gate run for a pull request: GitHub's step summary, or a comment. The verdict first, then what is wrong with its
// cause and the next command; what is unchanged is folded.
#pragma once

#include <cstddef>
#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// GitHub takes comments of up to 65 536 characters; the program that posts one adds a heading and a link of its own.
inline constexpr std::size_t comment_bytes = 60'000;
/// GitHub drops the whole summary of a step if it exceeds 1 MiB.
inline constexpr std::size_t step_summary_bytes = 1'048'576;  // 1 MiB

struct MarkdownStyle {
  std::size_t max_bytes = comment_bytes;
};

/// Ends with a line end. Every name, message and command is text, never markup. If the text would be longer than
/// max_bytes, the verdict, reds and commands stay and the last line says what was left out.
std::string render_markdown(const RunReport& report, const MarkdownStyle& style);

}  // namespace stepgate
