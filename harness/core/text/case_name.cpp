#include "core/text/case_name.h"

#include <algorithm>

namespace stepgate {

bool is_name_part(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_case_name(std::string_view text) {
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++parts) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    if (!is_name_part(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return parts >= 2;
}

}  // namespace stepgate
