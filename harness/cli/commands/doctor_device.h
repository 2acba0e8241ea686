// `stepgate doctor --device`: the self-test of a GPU runner.
#pragma once

#include "cli/options/options.h"

namespace stepgate {

/// Prints the lines. 0; 3 where one that verdicts rest on does not hold; 77 where there is no GPU.
int doctor_device(const Options& options);

}  // namespace stepgate
