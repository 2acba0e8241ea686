// The vendor's handles and numbers, and what they stand for.
#pragma once

#include <nccl.h>

#include <cstdint>
#include <memory>

#include "emulator/nccl/nccl_communicators.h"

namespace stepgate::emulator {

inline std::shared_ptr<NcclCommunicator> communicator_at(ncclComm_t handle) {
  return communicator_of(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle)));
}

/// The vendor's numbers in the order of its header; NcclElement names 16 and 8 bit floats in the same order.
inline NcclElement element_of(ncclDataType_t type) {
  static_assert(ncclFloat16 == 6 && ncclBfloat16 == 9 && ncclFloat8e5m2 == 11);
  constexpr NcclElement elements[ncclNumTypes] = {
      NcclElement::int8,    NcclElement::uint8,    NcclElement::int32,       NcclElement::uint32,
      NcclElement::int64,   NcclElement::uint64,   NcclElement::float16,     NcclElement::float32,
      NcclElement::float64, NcclElement::bfloat16, NcclElement::float8_e4m3, NcclElement::float8_e5m2,
  };
  return elements[type];
}

}  // namespace stepgate::emulator
