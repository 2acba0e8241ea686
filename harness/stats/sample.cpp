#include "stats/sample.h"

#include <cmath>
#include <string>

namespace stepgate {

void require_sample(std::span<const double> values, std::string_view function) {
  if (values.empty()) throw std::domain_error(std::string(function) + ": empty sample");
  for (double value : values) {
    if (!std::isfinite(value)) throw std::domain_error(std::string(function) + ": value is not finite");
  }
}

}  // namespace stepgate
