#include "stats/slope.h"

#include <vector>

#include "stats/sample.h"
#include "stats/summary.h"

namespace stepgate {

double theil_sen_slope(std::span<const double> values) {
  require_sample(values, "theil_sen_slope");
  if (values.size() < 2) throw std::domain_error("theil_sen_slope: needs at least two values");
  std::vector<double> slopes;
  slopes.reserve(values.size() * (values.size() - 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
    }
  }
  return median(slopes);
}

}  // namespace stepgate
