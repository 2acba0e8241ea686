// The operators of forward, backward and own boundaries. Those of the other boundaries belong to kinds of their own.
#pragma once

#include <vector>

#include "core/boundary.h"
#include "core/study/profile.h"

namespace stepgate {

/// data_wait, h2d, optimizer and logging.
constexpr bool is_around_the_model(Boundary boundary) {
  return boundary == Boundary::data_wait || boundary == Boundary::h2d || boundary == Boundary::optimizer ||
         boundary == Boundary::logging;
}

bool is_of_the_model(const OperatorRow& row);

/// Self times of the model's operators.
double model_operators_ns(const std::vector<OperatorRow>& rows);

}  // namespace stepgate
