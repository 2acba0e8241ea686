// The HTML of a page: one file that loads nothing, runs no script, and shows hostile texts as texts.
#pragma once

#include <string>

#include "report/page/page_model.h"

namespace stepgate {

/// Control characters, bidirectional overrides and malformed UTF-8 change as in terminal_text(); everything else of a
/// text is shown as it is. A text beyond 2 000 characters loses its middle. Ends with a line end.
std::string render_page(const Page& page);

}  // namespace stepgate
