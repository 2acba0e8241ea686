#include "core/text/number_in_text.h"

#include <cmath>
#include <cstdlib>

namespace stepgate {

std::optional<double> number_in_text(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace stepgate
