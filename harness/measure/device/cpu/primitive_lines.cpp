#include "measure/device/cpu/primitive_lines.h"

#include <algorithm>

namespace stepgate {

PrimitiveLines primitive_lines(std::string_view printed) {
  constexpr std::string_view newer = "onednn_verbose,";
  constexpr std::string_view older = "dnnl_verbose,";
  PrimitiveLines lines;
  while (!printed.empty()) {
    const std::size_t size = std::min(printed.find('\n'), printed.size() - 1) + 1;
    const std::string_view line = printed.substr(0, size);
    printed.remove_prefix(size);
    if (!line.starts_with(newer) && !line.starts_with(older)) {
      lines.others += line;
    } else if (line.find("create:cache_miss") != std::string_view::npos) {
      ++lines.creations;
    }
  }
  return lines;
}

}  // namespace stepgate
