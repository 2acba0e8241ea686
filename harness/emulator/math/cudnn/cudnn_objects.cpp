#include "emulator/math/cudnn/cudnn_objects.h"

#include <array>
#include <string>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/library_kernels.h"

namespace stepgate::emulator {
namespace {

constexpr std::array<CudnnTypeRow, 11> type_rows = {{
    {CUDNN_DATA_FLOAT, "float", 32},
    {CUDNN_DATA_DOUBLE, "double", 64},
    {CUDNN_DATA_HALF, "half", 16},
    {CUDNN_DATA_BFLOAT16, "bfloat16", 16},
    {CUDNN_DATA_INT8, "int8", 8},
    {CUDNN_DATA_UINT8, "uint8", 8},
    {CUDNN_DATA_INT32, "int32", 32},
    {CUDNN_DATA_INT64, "int64", 64},
    {CUDNN_DATA_BOOLEAN, "boolean", 8},
    {CUDNN_DATA_FP8_E4M3, "fp8_e4m3", 8},
    {CUDNN_DATA_FP8_E5M2, "fp8_e5m2", 8},
}};

/// Own choice: each thread reads or writes 32 bytes.
constexpr double bytes_of_block = 32.0 * library_block_threads;

Extent grid_of(const CudnnWork& work) {
  constexpr double most_blocks = 65535;
  const double blocks = work.bytes / bytes_of_block;
  return {blocks < 1 ? 1U : static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), 1, 1};
}

}  // namespace

std::span<const CudnnTypeRow> cudnn_types() { return type_rows; }

CudnnTypeRow cudnn_type(cudnnDataType_t type, const char* function) {
  for (const CudnnTypeRow& row : type_rows) {
    if (row.number == static_cast<int>(type)) return row;
  }
  refuse(function, "cudnnDataType_t " + std::to_string(static_cast<int>(type)));
}

cudnnStatus_t cudnn_status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return CUDNN_STATUS_SUCCESS;
    case Outcome::invalid_value:
      return CUDNN_STATUS_BAD_PARAM;
    case Outcome::out_of_memory:
      return CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
    default:
      return CUDNN_STATUS_EXECUTION_FAILED_CUDART;
  }
}

cudnnStatus_t submit_cudnn(const char* function, cudnnHandle_t handle, CudnnWork work) {
  if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (work.name.empty()) refuse(function, "a kernel without a shape");
  LibraryKernel kernel{.name = std::move(work.name),
                       .flops = work.flops,
                       .bytes = work.bytes,
                       .grid = grid_of(work),
                       .is_extended = true,
                       .is_private = work.is_private};
  return cudnn_status_of(submit_library_kernel(handle->stream, std::move(kernel)));
}

}  // namespace stepgate::emulator
