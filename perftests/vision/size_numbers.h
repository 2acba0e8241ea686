// The parameters that every vision workload has, by name.
#pragma once

#include <vector>

#include "support/image_loader.h"
#include "support/named_numbers.h"
#include "vision/conv_net.h"

namespace stepgate {

/// "batch_size", "loader_workers", "prefetch_batches", "pin".
std::vector<NamedNumber> numbers_of(LoaderShape& loader);

/// "width", "stages", "blocks".
std::vector<NamedNumber> numbers_of(ConvNetSize& net);

}  // namespace stepgate
