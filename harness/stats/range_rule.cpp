#include "stats/range_rule.h"

#include <stdexcept>

namespace stepgate {

double range_rule_false_alarm(std::int64_t current, std::int64_t baseline) {
  if (current < 1 || baseline < 1) throw std::domain_error("range_rule_false_alarm: needs values on both sides");
  // 1/C(c+b, c) as a product of factors below 1: cannot overflow.
  double probability = 1;
  for (std::int64_t i = 1; i <= current; ++i) {
    probability *= static_cast<double>(i) / static_cast<double>(baseline + i);
  }
  return probability;
}

}  // namespace stepgate
