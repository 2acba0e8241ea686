// How much work a step of the reference case does on a GPU. The amounts follow from properties of the GPU that do not
// change and from no timing, so every GPU of one kind does the same work. They are parameters of the case, and so part
// of the key of every baseline.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "measure/device/gpu_properties.h"

namespace stepgate {

/// The work of one step.
struct ReferenceWork {
  std::int64_t matrix_side = 0;   ///< side of square float32 matrices; TF32 is off
  std::int64_t products = 0;      ///< products of two such matrices
  std::int64_t copied_bytes = 0;  ///< size of one copy within the GPU's memory
  std::int64_t copies = 0;

  bool operator==(const ReferenceWork&) const = default;
};

/// Products that take 5 ms or more even at an upper limit of the GPU's rate, and at least 2, one for each direction;
/// copies of 4 L2 sizes, at most a sixteenth of the GPU's memory. The limit is the float32 lanes of all
/// multiprocessors, each with one fused multiply-add per cycle at 3 GHz. Lanes: "Throughput of Native Arithmetic
/// Instructions", CUDA C++ Programming Guide. For a compute capability that the guide does not list yet 256 lanes are
/// assumed.
ReferenceWork reference_work_on(const GpuProperties& gpu);

/// Floating-point operations of all products of a step: 2 n^3 each.
double flops_of(const ReferenceWork& work);

/// The work in the form of Case::params: "matrix_side", "products", "copied_bytes", "copies".
std::map<std::string, std::string> params_of(const ReferenceWork& work);

/// Reads them back. Throws std::invalid_argument naming a parameter that is missing, unknown, or not a whole number of
/// at least 1 (products: 2).
ReferenceWork reference_work_from(const std::map<std::string, std::string>& params);

}  // namespace stepgate
