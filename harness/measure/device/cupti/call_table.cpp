#include "measure/device/cupti/call_table.h"

#include <algorithm>
#include <array>

namespace stepgate::cupti {
namespace {

constexpr auto in_parameters = CopyDirection::in_parameters;

constexpr CallRow launch(std::string_view function) { return {function, CallKind::kernel}; }
constexpr CallRow graph(std::string_view function) { return {function, CallKind::graph_launch}; }
constexpr CallRow copy(std::string_view function, CopyDirection direction = CopyDirection::unknown) {
  return {function, CallKind::memcpy, false, direction};
}
/// Between host and device without "Async". Copies inside the device and to another GPU do not wait ("API
/// synchronization behavior" in the reference manuals of CUDA's runtime and driver).
constexpr CallRow waiting_copy(std::string_view function, CopyDirection direction = CopyDirection::unknown) {
  return {function, CallKind::memcpy, true, direction};
}
constexpr CallRow set(std::string_view function) { return {function, CallKind::memset}; }
constexpr CallRow allocate(std::string_view function) { return {function, CallKind::allocation}; }
/// Synchronisations, and frees of memory that the device may still use.
constexpr CallRow wait(std::string_view function) { return {function, CallKind::waiting, true}; }

constexpr std::array rows = {
    launch("cudaLaunch"),
    launch("cudaLaunchKernel"),
    launch("__cudaLaunchKernel"),  // what the compiler of CUDA 13 makes of <<<>>>
    launch("cudaLaunchKernelExC"),
    launch("cudaLaunchCooperativeKernel"),
    launch("cudaLaunchCooperativeKernelMultiDevice"),
    launch("cuLaunch"),
    launch("cuLaunchGrid"),
    launch("cuLaunchGridAsync"),
    launch("cuLaunchKernel"),
    launch("cuLaunchKernelEx"),
    launch("cuLaunchCooperativeKernel"),
    launch("cuLaunchCooperativeKernelMultiDevice"),

    graph("cudaGraphLaunch"),
    graph("cuGraphLaunch"),

    waiting_copy("cudaMemcpy", in_parameters),
    waiting_copy("cudaMemcpy2D"),
    waiting_copy("cudaMemcpy3D"),
    waiting_copy("cudaMemcpyToArray"),
    waiting_copy("cudaMemcpy2DToArray"),
    waiting_copy("cudaMemcpyFromArray"),
    waiting_copy("cudaMemcpy2DFromArray"),
    waiting_copy("cudaMemcpyToSymbol"),
    waiting_copy("cudaMemcpyFromSymbol"),
    waiting_copy("cuMemcpy"),
    waiting_copy("cuMemcpyHtoD"),
    waiting_copy("cuMemcpyDtoH"),
    waiting_copy("cuMemcpyHtoA"),
    waiting_copy("cuMemcpyAtoH"),
    waiting_copy("cuMemcpy2D"),
    waiting_copy("cuMemcpy2DUnaligned"),
    waiting_copy("cuMemcpy3D"),
    copy("cudaMemcpyArrayToArray"),
    copy("cudaMemcpy2DArrayToArray"),
    copy("cudaMemcpyPeer"),
    copy("cudaMemcpy3DPeer"),
    copy("cuMemcpyDtoD"),
    copy("cuMemcpyDtoA"),
    copy("cuMemcpyAtoD"),
    copy("cuMemcpyAtoA"),
    copy("cuMemcpyPeer"),
    copy("cuMemcpy3DPeer"),
    copy("cudaMemcpyAsync", in_parameters),
    copy("cudaMemcpy2DAsync"),
    copy("cudaMemcpy3DAsync"),
    copy("cudaMemcpyToArrayAsync"),
    copy("cudaMemcpy2DToArrayAsync"),
    copy("cudaMemcpyFromArrayAsync"),
    copy("cudaMemcpy2DFromArrayAsync"),
    copy("cudaMemcpyToSymbolAsync"),
    copy("cudaMemcpyFromSymbolAsync"),
    copy("cudaMemcpyPeerAsync"),
    copy("cudaMemcpy3DPeerAsync"),
    copy("cudaMemcpyBatchAsync"),
    copy("cudaMemcpy3DBatchAsync"),
    copy("cuMemcpyAsync"),
    copy("cuMemcpyHtoDAsync"),
    copy("cuMemcpyDtoHAsync"),
    copy("cuMemcpyDtoDAsync"),
    copy("cuMemcpyHtoAAsync"),
    copy("cuMemcpyAtoHAsync"),
    copy("cuMemcpy2DAsync"),
    copy("cuMemcpy3DAsync"),
    copy("cuMemcpyPeerAsync"),
    copy("cuMemcpy3DPeerAsync"),
    copy("cuMemcpyBatchAsync"),
    copy("cuMemcpy3DBatchAsync"),

    set("cudaMemset"),
    set("cudaMemset2D"),
    set("cudaMemset3D"),
    set("cudaMemsetAsync"),
    set("cudaMemset2DAsync"),
    set("cudaMemset3DAsync"),
    set("cuMemsetD8"),
    set("cuMemsetD16"),
    set("cuMemsetD32"),
    set("cuMemsetD2D8"),
    set("cuMemsetD2D16"),
    set("cuMemsetD2D32"),
    set("cuMemsetD8Async"),
    set("cuMemsetD16Async"),
    set("cuMemsetD32Async"),
    set("cuMemsetD2D8Async"),
    set("cuMemsetD2D16Async"),
    set("cuMemsetD2D32Async"),

    allocate("cudaMalloc"),
    allocate("cudaMallocPitch"),
    allocate("cudaMallocArray"),
    allocate("cudaMalloc3D"),
    allocate("cudaMalloc3DArray"),
    allocate("cudaMallocMipmappedArray"),
    allocate("cudaMallocManaged"),
    allocate("cudaMallocAsync"),
    allocate("cudaMallocFromPoolAsync"),
    allocate("cudaMallocHost"),
    allocate("cudaHostAlloc"),
    allocate("cudaHostRegister"),
    allocate("cuMemAlloc"),
    allocate("cuMemAllocPitch"),
    allocate("cuMemAllocManaged"),
    allocate("cuMemAllocAsync"),
    allocate("cuMemAllocFromPoolAsync"),
    allocate("cuMemCreate"),
    allocate("cuMemAllocHost"),
    allocate("cuMemHostAlloc"),
    allocate("cuMemHostRegister"),
    allocate("cuArrayCreate"),
    allocate("cuArray3DCreate"),
    allocate("cuMipmappedArrayCreate"),

    wait("cudaDeviceSynchronize"),
    wait("cudaThreadSynchronize"),
    wait("cudaStreamSynchronize"),
    wait("cudaEventSynchronize"),
    wait("cuCtxSynchronize"),
    wait("cuStreamSynchronize"),
    wait("cuEventSynchronize"),
    wait("cudaFree"),
    wait("cudaFreeArray"),
    wait("cudaFreeMipmappedArray"),
    wait("cudaFreeHost"),
    wait("cuMemFree"),
    wait("cuMemFreeHost"),
};

/// Metric names by CallKind.
constexpr std::array<std::string_view, 6> metrics = {
    "kernels_per_step", "graph_launches_per_step",     "memcpys_per_step",
    "memsets_per_step", "device_allocations_per_step", sync_metric};

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_variant(std::string_view suffix) {
  return suffix == "ptsz" || suffix == "ptds" || (suffix.starts_with('v') && is_digits(suffix.substr(1)));
}

}  // namespace

std::span<const CallRow> call_table() { return rows; }

std::string_view without_version(std::string_view callback_name) {
  for (std::size_t at = callback_name.rfind('_'); at != std::string_view::npos; at = callback_name.rfind('_')) {
    if (!is_variant(callback_name.substr(at + 1))) break;
    callback_name = callback_name.substr(0, at);
  }
  return callback_name;
}

const CallRow* find_call(std::string_view function) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const CallRow& row) { return row.function == function; });
  return at == rows.end() ? nullptr : &*at;
}

std::string_view metric_of(CallKind kind) { return metrics[static_cast<std::size_t>(kind)]; }

std::span<const std::string_view> counted_metrics() { return metrics; }

}  // namespace stepgate::cupti
