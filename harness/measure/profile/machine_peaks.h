// What this process can reach at most: matrix products, streams by working set, and the cost of the cheapest operator.
#pragma once

#include <torch/torch.h>

#include "core/record/observed_work.h"
#include "core/record/profile_run.h"
#include "measure/device/backend.h"

namespace stepgate {

struct PeakRequest {
  const torch::Device& device;
  Backend& backend;
  const ObservedWork* work = nullptr;  ///< whose dtypes and products are tried too; null: float32 and squares alone
};

/// The fastest of each, with this process's threads and instructions, in about a second and a half. FLOPs: square
/// matrices, and the largest products and convolutions of the step, replayed on their own sizes: no square is as fast
/// as every other shape. Bandwidth: the faster of a copy and a sum, since a stream that only reads is the faster one.
MachinePeaks measure_peaks(const PeakRequest& request);

}  // namespace stepgate
