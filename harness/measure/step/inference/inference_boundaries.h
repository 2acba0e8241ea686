// The boundaries of a request, and what its record cannot have because nothing is trained.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/boundary.h"
#include "core/pass.h"
#include "core/step_boundaries.h"

namespace stepgate {

inline constexpr Boundary infer_boundary = own_boundary(0);
inline constexpr Boundary post_boundary = own_boundary(1);

/// data_wait, h2d, infer, post, logging.
StepBoundaries inference_boundaries();

/// `held` as GraphWatch::held(): what logging does not hold is held since the boundary that made the graph, which is
/// infer.
std::map<std::string, std::int64_t> held_since_infer(std::map<std::string, std::int64_t> held);

/// Metric -> why a case that answers requests has none.
std::map<std::string, std::string> absent_in_inference(Group group);

}  // namespace stepgate
