// Descriptors of cuBLASLt.
#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <map>

#include "emulator/math/cublas_state.h"
#include "emulator/math/math_handle.h"
#include "emulator/math/math_products.h"

namespace stepgate::emulator {

/// Attributes by the library's numbers. Each holds 8 bytes or less, the low ones first.
using LtAttributes = std::map<int, std::uint64_t>;

struct LtProductDescriptor {
  LtAttributes attributes;
};

struct LtLayout {
  cudaDataType type = CUDA_R_32F;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  LtAttributes attributes;
};

struct LtPreference {
  LtAttributes attributes;
};

inline MathShelf<LtProductDescriptor>& lt_products() { return CublasObjects::shelf<LtProductDescriptor>(); }
inline MathShelf<LtLayout>& lt_layouts() { return CublasObjects::shelf<LtLayout>(); }
inline MathShelf<LtPreference>& lt_preferences() { return CublasObjects::shelf<LtPreference>(); }

/// The value of an attribute that was set, else `otherwise`.
std::uint64_t value_of(const LtAttributes& attributes, int attribute, std::uint64_t otherwise);

}  // namespace stepgate::emulator
