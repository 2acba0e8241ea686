// The text around the contents of a page: its HTML as mustache templates, and its style sheet.
#pragma once

#include <string_view>

namespace stepgate {

extern const std::string_view page_template;     ///< the document
extern const std::string_view section_template;  ///< one section, open or folded
extern const std::string_view block_template;
extern const std::string_view cell_template;  ///< one cell of a table
extern const std::string_view link_template;  ///< a place in the code, as a link or as text

/// One style sheet for all kinds of pages. The policy of the page allows it by its digest and nothing else.
extern const std::string_view page_style;
/// SHA-256 of page_style, as a Content-Security-Policy writes it (base64). tests/report/page/page_files_test.py
/// computes it again and names the right one after a change of the style.
extern const std::string_view page_style_digest;

}  // namespace stepgate
