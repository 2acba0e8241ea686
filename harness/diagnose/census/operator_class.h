// Which class of work is an operator, for the census of dtypes?
#pragma once

#include <cstddef>
#include <string_view>

#include "core/record/observed_work.h"

namespace stepgate {

/// "products" (matrix products, convolutions, attention), "norm", "softmax", "loss", "elementwise" (all other work),
/// and "optimizer", which is all work of that boundary. "" for a site that does no work of its own, and for copies,
/// views and allocations.
std::string_view class_of(const OperatorSite& site);

/// Its position in the order above.
std::size_t rank_of_class(std::string_view name);

}  // namespace stepgate
