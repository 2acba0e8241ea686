#include "emulator/math/cudnn/cudnn_objects.h"

#include <cupti_runtime_cbid.h>

#include <array>
#include <string>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/model/cost_model.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/kernel_registry.h"
#include "emulator/runtime/runtime_call.h"

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

/// Own choice: blocks of 256 threads that each read or write 32 bytes.
constexpr unsigned threads_of_block = 256;
constexpr double bytes_of_block = 32.0 * threads_of_block;

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
  EmulatedMachine& machine = process_machine();
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, "cudaLaunchKernelExC");
  Operation operation;
  operation.cost_ns = product_ns(machine.model(), work.flops, work.bytes);
  operation.grid = grid_of(work);
  operation.block = {threads_of_block, 1, 1};
  operation.is_library = true;
  operation.name = interned(std::move(work.name));
  const Outcome outcome = machine.submit(call.caller(), handle->stream, std::move(operation));
  static_cast<void>(call.end(outcome));
  return cudnn_status_of(outcome);
}

}  // namespace stepgate::emulator
