// The runtime's copies. The machine finds the direction from the addresses; the kind that a program gives is checked
// against it.
#include <cuda_runtime_api.h>

#include "emulator/machine/refusal.h"
#include "emulator/process/operator_rules.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"
#include "emulator/runtime/work/copy_parameters.h"

namespace stepgate::emulator {
namespace {

enum class Side { host, device, any };

struct CopyKindRow {
  cudaMemcpyKind kind;
  Side to;
  Side from;
};

constexpr CopyKindRow copy_kind_rows[] = {
    {cudaMemcpyHostToHost, Side::host, Side::host},     {cudaMemcpyHostToDevice, Side::device, Side::host},
    {cudaMemcpyDeviceToHost, Side::host, Side::device}, {cudaMemcpyDeviceToDevice, Side::device, Side::device},
    {cudaMemcpyDefault, Side::any, Side::any},
};

/// Page-locked and managed memory may stand on both sides. What happens where a kind calls device memory the host's is
/// not documented.
cudaError_t check_side(const char* function, Side side, const void* address) {
  if (side == Side::any) return cudaSuccess;
  const std::optional<MemoryBlock> block = process_machine().block_of(address);
  if (side == Side::device) return block ? cudaSuccess : cudaErrorInvalidValue;
  if (block && is_device_side(&*block) && block->kind != MemoryKind::managed) {
    refuse(function, "a kind of copy that does not fit its addresses");
  }
  return cudaSuccess;
}

cudaError_t check_kind(const char* function, cudaMemcpyKind kind, const CopyRequest& request) {
  for (const CopyKindRow& row : copy_kind_rows) {
    if (row.kind != kind) continue;
    if (request.bytes == 0 || request.rows == 0) return cudaSuccess;
    const cudaError_t to = check_side(function, row.to, request.to);
    return to == cudaSuccess ? check_side(function, row.from, request.from) : to;
  }
  return cudaErrorInvalidMemcpyDirection;
}

cudaError_t copy_by_kind(RuntimeCall& call, cudaMemcpyKind kind, CopyRequest request) {
  const cudaError_t checked = check_kind(call.caller().function, kind, request);
  if (checked != cudaSuccess) return call.end(checked);
  check_copy(call.caller(), request);
  request.has_values = !is_in_operator();
  return call.end(process_machine().copy(call.caller(), request));
}

cudaError_t copy_rows_by_kind(RuntimeCall& call, cudaMemcpyKind kind, const CopyRequest& request) {
  const bool is_narrow = request.bytes > request.to_pitch_bytes || request.bytes > request.from_pitch_bytes;
  return is_narrow ? call.end(cudaErrorInvalidPitchValue) : copy_by_kind(call, kind, request);
}

/// Host memory counts as that of no device.
bool is_memory_of(int device, const void* address) {
  const std::optional<MemoryBlock> block = process_machine().block_of(address);
  return block && is_device_side(&*block) && block->device == device;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const CopyParameters parameters{to, from, bytes, kind};
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020, "cudaMemcpy", &parameters);
  return copy_by_kind(call, kind, {.to = to, .from = from, .bytes = bytes, .synchronous = true});
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const AsyncCopyParameters parameters{to, from, bytes, kind, stream};
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, "cudaMemcpyAsync", &parameters);
  return copy_by_kind(call, kind, {.to = to, .from = from, .bytes = bytes, .stream = handle_of(stream)});
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_v3020, "cudaMemcpy2D");
  return copy_rows_by_kind(call, kind,
                           {.to = to,
                            .from = from,
                            .bytes = width,
                            .synchronous = true,
                            .rows = height,
                            .to_pitch_bytes = to_pitch,
                            .from_pitch_bytes = from_pitch});
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020, "cudaMemcpy2DAsync");
  return copy_rows_by_kind(call, kind,
                           {.to = to,
                            .from = from,
                            .bytes = width,
                            .stream = handle_of(stream),
                            .rows = height,
                            .to_pitch_bytes = to_pitch,
                            .from_pitch_bytes = from_pitch});
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyPeerAsync_v4000, "cudaMemcpyPeerAsync");
  const EmulatedMachine& machine = process_machine();
  if (!machine.has_device(to_device) || !machine.has_device(from_device)) return call.end(Outcome::invalid_device);
  if (bytes != 0 && (!is_memory_of(to_device, to) || !is_memory_of(from_device, from))) {
    return call.end(Outcome::invalid_value);
  }
  return call.end(process_machine().copy(
      call.caller(),
      {.to = to, .from = from, .bytes = bytes, .stream = handle_of(stream), .has_values = !is_in_operator()}));
}

}  // extern "C"
