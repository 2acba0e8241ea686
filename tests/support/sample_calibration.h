// A calibration with a call that is used and one that is not.
#pragma once

#include "core/stored/library_calibration.h"

namespace stepgate {

inline LibraryCalibration sample_calibration() {
  return {.source = "h100.json",
          .gpu = "NVIDIA H100 80GB HBM3",
          .cuda_runtime = "12.4",
          .cuda_driver = "12.9",
          .calls = {{"aten::mm(float32[8, 64], float32[64, 4])", {.calls = 5, .kernels = {2, 2}, .memsets = {0, 1}}},
                    {"aten::mm(float32[9, 64], float32[64, 4])", {.calls = 3, .kernels = {1, 2}, .memsets = {0, 0}}}},
          .left_out = {.outside_operators = 73, .in_graphs = 2, .without_operands = 1}};
}

}  // namespace stepgate
