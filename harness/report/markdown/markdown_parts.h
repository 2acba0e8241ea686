// A document with a size limit, because a longer one is dropped as a whole: the least important parts are left out
// first, and no part is cut in the middle.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stepgate {

/// A table, a list or a paragraph. Shown with all of its items, with the first few of them, or not at all.
struct MarkdownPart {
  int rank = 0;  ///< 0 is always shown; then what has the lower rank comes first
  std::string opening;
  std::vector<std::string> items;  ///< each is complete: a row, a bullet, a fenced block; ends with a line end
  std::string closing;
  std::string noun;  ///< what one item is, for the sentence on what was left out: "metric"
  double share = 1;  ///< share of the space that is left when its turn comes
};

/// The parts in the given order, in at most `max_bytes` (unless those of rank 0 alone are longer). If something is left
/// out, the last line says how much of what, and ends with `elsewhere`, a sentence on where to find it.
std::string fitted(const std::vector<MarkdownPart>& parts, std::size_t max_bytes, const std::string& elsewhere);

}  // namespace stepgate
