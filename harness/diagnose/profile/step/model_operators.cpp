#include "diagnose/profile/step/model_operators.h"

namespace stepgate {

bool is_of_the_model(const OperatorRow& row) {
  const auto boundary = boundary_named(row.site.boundary);
  return !boundary || !is_around_the_model(*boundary);
}

double model_operators_ns(const std::vector<OperatorRow>& rows) {
  double ns = 0;
  for (const OperatorRow& row : rows) ns += is_of_the_model(row) ? row.self_ns : 0;
  return ns;
}

}  // namespace stepgate
