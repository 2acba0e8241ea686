// One case that is not green, in a pull request: how its values moved, why, how to see it again, how to accept it.
#pragma once

#include <vector>

#include "core/verdict/run_report.h"
#include "report/markdown/markdown_parts.h"

namespace stepgate {

/// In the order of a page; nothing for a case that needs no action. By their ranks headings and commands are dropped
/// last.
std::vector<MarkdownPart> markdown_case(const Outcome& outcome);

}  // namespace stepgate
