#include "measure/device/cuda/cuda_queue.h"

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/Sleep.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <chrono>
#include <cmath>

namespace stepgate {
namespace {

using at::cuda::CUDAEvent;
using c10::cuda::CUDAStream;

constexpr double ns_per_ms = 1e6;

/// The storage frees the memory: a view of it keeps it too.
struct TensorBlock : DeviceBlock {
  torch::Tensor storage;
};
struct TensorBytes : HostBytes {
  torch::Tensor storage;
};

torch::Tensor bytes_tensor(std::int64_t bytes, const torch::TensorOptions& options) {
  const at::DisableRecordFunctionGuard unrecorded;  // the harness's own work, no operator of the workload
  return torch::empty({bytes}, options.dtype(torch::kUInt8));
}

class CudaQueue final : public DeviceQueue {
 public:
  explicit CudaQueue(const CudaStreams& streams) : streams_(streams) {
    int kilohertz = 0;
    C10_CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, streams.compute.device_index()));
    most_cycles_per_ns_ = static_cast<double>(kilohertz) / 1e6;
  }

  std::int64_t now_ns() override {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
  }

  EventId make_event(EventTiming timing) override {
    // The default flag of this class disables timing (docs/design/measurement.md, "Marks and device events").
    events_.emplace_back(timing == EventTiming::on ? cudaEventDefault : cudaEventDisableTiming);
    return static_cast<EventId>(events_.size() - 1);
  }
  void record(EventId event, Stream stream) override { at(event).record(on(stream)); }
  void wait(Stream stream, EventId event) override { at(event).block(on(stream)); }
  bool is_done(EventId event) override { return at(event).query(); }
  void synchronize(EventId event) override { at(event).synchronize(); }
  void synchronize() override { c10::cuda::device_synchronize(); }
  std::int64_t elapsed_ns(EventId from, EventId to) override {
    return std::llround(static_cast<double>(at(from).elapsed_time(at(to))) * ns_per_ms);
  }

  DeviceMemory allocate(std::int64_t bytes, Stream stream) override {
    const c10::cuda::CUDAStreamGuard guard(on(stream));
    auto block = std::make_shared<TensorBlock>();
    block->storage = bytes_tensor(bytes, streams_.compute.device());
    block->address = block->storage.data_ptr();
    block->bytes = bytes;
    return block;
  }
  void record_stream(const DeviceMemory& memory, Stream stream) override {
    c10::cuda::CUDACachingAllocator::recordStream(static_cast<const TensorBlock&>(*memory).storage.storage().data_ptr(),
                                                  on(stream));
  }
  HostBuffer allocate_host(std::int64_t bytes, HostMemory memory) override {
    auto block = std::make_shared<TensorBytes>();
    block->storage = bytes_tensor(bytes, torch::TensorOptions().pinned_memory(memory == HostMemory::pinned));
    block->address = block->storage.data_ptr();
    block->bytes = bytes;
    block->memory = memory;
    block->context = block->storage.storage().data_ptr().get_context();
    return block;
  }

  bool copy_to_device(const HostBytes& from, const DeviceBlock& to, Stream stream, CallSite /*site*/) override {
    const CUDAStream& queue = on(stream);
    const auto bytes = static_cast<std::size_t>(from.bytes);
    if (from.memory == HostMemory::pageable) {
      // Counts as a synchronising call in LibTorch's debug mode, as a copy_() from pageable memory does.
      c10::cuda::memcpy_and_sync(to.address, from.address, from.bytes, cudaMemcpyHostToDevice, queue.stream());
      return true;
    }
    C10_CUDA_CHECK(cudaMemcpyAsync(to.address, from.address, bytes, cudaMemcpyHostToDevice, queue.stream()));
    return note_copy(from, queue);
  }
  void copy_to_host(const DeviceBlock& from, const HostBytes& to, Stream stream, CallSite /*site*/) override {
    const auto bytes = static_cast<std::size_t>(to.bytes);
    C10_CUDA_CHECK(cudaMemcpyAsync(to.address, from.address, bytes, cudaMemcpyDeviceToHost, on(stream).stream()));
    note_copy(to, on(stream));
  }
  void fill(const DeviceBlock& block, unsigned char byte, Stream stream, CallSite /*site*/) override {
    const auto bytes = static_cast<std::size_t>(block.bytes);
    C10_CUDA_CHECK(cudaMemsetAsync(block.address, byte, bytes, on(stream).stream()));
  }
  void occupy(Stream stream, std::int64_t at_least_ns) override {
    const c10::cuda::CUDAStreamGuard guard(on(stream));
    at::cuda::sleep(std::llround(static_cast<double>(at_least_ns) * most_cycles_per_ns_));
  }

 private:
  const CUDAStream& on(Stream stream) const { return stream == Stream::compute ? streams_.compute : streams_.copy; }
  CUDAEvent& at(EventId event) { return events_[static_cast<std::size_t>(event)]; }

  /// LibTorch's own copies do the same: when the block is freed, its allocator records an event on each noted stream,
  /// and reuses the block when these are complete. It finds the block by its context, also for a slice.
  static bool note_copy(const HostBytes& bytes, const CUDAStream& stream) {
    return at::getHostAllocator(at::kCUDA)->record_event(bytes.address, bytes.context, stream.unwrap());
  }

  CudaStreams streams_;
  double most_cycles_per_ns_ = 0;  ///< at the highest clock; at a lower one a spin lasts longer
  std::vector<CUDAEvent> events_;
};

/// Copies read bytes, so elements must lie close together, in any order, with the sign that stands there.
torch::Tensor dense_copy(const torch::Tensor& host) {
  if (host.is_non_overlapping_and_dense() && !host.is_conj() && !host.is_neg()) return host;
  return host.resolve_conj().resolve_neg().contiguous();
}

bool is_page_locked(const torch::Tensor& tensor) {
  const at::DisableRecordFunctionGuard unrecorded;
  return tensor.is_pinned();
}

}  // namespace

CudaStreams open_cuda_streams(c10::DeviceIndex index) {
  // Statistics may be read before the first tensor exists, and the allocator must know its devices before that.
  c10::cuda::CUDACachingAllocator::init(c10::cuda::device_count());
  c10::cuda::set_device(index);
  return {c10::cuda::getCurrentCUDAStream(index), c10::cuda::getStreamFromPool(false, index)};
}

std::unique_ptr<DeviceQueue> make_cuda_queue(const CudaStreams& streams) {
  return std::make_unique<CudaQueue>(streams);
}

torch::Tensor view_like(const torch::Tensor& host, const DeviceMemory& memory) {
  const at::DisableRecordFunctionGuard unrecorded;
  const torch::NoGradGuard no_grad;
  if (!memory) return torch::empty(host.sizes(), torch::dtype(host.scalar_type()).device(torch::kCUDA));
  const torch::Tensor& bytes = static_cast<const TensorBlock&>(*memory).storage;
  return bytes.narrow(0, 0, static_cast<std::int64_t>(host.nbytes()))
      .view(host.scalar_type())
      .as_strided(host.sizes(), host.strides());
}

PackedTensors packed(const std::vector<torch::Tensor>& host) {
  PackedTensors result;
  result.tensors.reserve(host.size());
  result.bytes.reserve(host.size());
  for (const torch::Tensor& tensor : host) {
    const torch::Tensor& dense = result.tensors.emplace_back(dense_copy(tensor));
    result.bytes.push_back({.address = dense.data_ptr(),
                            .bytes = static_cast<std::int64_t>(dense.nbytes()),
                            .memory = is_page_locked(dense) ? HostMemory::pinned : HostMemory::pageable,
                            .context = dense.storage().data_ptr().get_context()});
  }
  return result;
}

}  // namespace stepgate
