#include "measure/device_check/cuda/cuda_probe_training.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <set>
#include <vector>

#include "measure/device/backend.h"
#include "measure/memory/memory_trace.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

constexpr double learning_rate = 0.05;
constexpr std::uint64_t seed = 20'240'229;

at::Tensor drawn(at::IntArrayRef sizes, double scale) { return at::randn(sizes).mul(scale); }

at::Tensor weight(at::IntArrayRef sizes, double scale) {
  return drawn(sizes, scale).to(at::kCUDA).requires_grad_(true);
}

/// Long enough that attention splits its keys, whose parts add to one gradient of the queries unless it is told not to.
constexpr std::int64_t attention_rows = 1024;

/// Attention of `weight` to itself, in its own type: each type has other kernels.
at::Tensor attended(const at::Tensor& weight) {
  return at::scaled_dot_product_attention(weight, weight, weight).to(at::kFloat).square().mean();
}

ProbeTraining trained(int steps, Determinism determinism) {
  CudaProbeTraining training(determinism);
  ProbeTraining result;
  for (int i = 0; i < steps; ++i) result.last_loss = static_cast<double>(training.step());
  result.digest = training.digest();
  return result;
}

}  // namespace

struct CudaProbeTraining::State {
  explicit State(Determinism determinism) : deterministic(determinism) {}

  DeterministicScope deterministic;
  at::Tensor batch = drawn({16, 3, 16, 16}, 1);
  at::Tensor wanted = drawn({16, 10}, 1).to(at::kCUDA);
  std::vector<at::Tensor> weights = {weight({8, 3, 3, 3}, 0.2), weight({8 * 14 * 14, 10}, 0.02),
                                     weight({1, 2, attention_rows, 64}, 1)};
  at::Tensor cleared = at::ones({4096}, at::TensorOptions().device(at::kCUDA));
  std::vector<float> losses;
};

CudaProbeTraining::CudaProbeTraining(Determinism determinism) {
  at::manual_seed(seed);
  state_ = std::make_unique<State>(determinism);
}

CudaProbeTraining::~CudaProbeTraining() = default;

float CudaProbeTraining::step() {
  State& state = *state_;
  const at::Tensor batch = state.batch.to(at::kCUDA);
  const at::Tensor hidden = at::conv2d(batch, state.weights[0]).relu().flatten(1);
  const at::Tensor& attending = state.weights[2];
  const at::Tensor loss = hidden.mm(state.weights[1]).sub(state.wanted).square().mean() + attended(attending) +
                          attended(attending.to(at::kBFloat16));
  loss.backward();
  {
    const at::NoGradGuard no_grad;
    for (at::Tensor& one : state.weights) {
      one.sub_(one.grad(), learning_rate);
      one.mutable_grad() = at::Tensor();
    }
  }
  C10_CUDA_CHECK(
      cudaMemsetAsync(state.cleared.data_ptr(), 0, state.cleared.nbytes(), c10::cuda::getCurrentCUDAStream().stream()));
  state.losses.push_back(loss.item<float>());
  return state.losses.back();
}

std::string CudaProbeTraining::digest() const {
  FnvHash hash;
  const auto add = [&](const void* bytes, std::size_t count) { hash.add(bytes, count); };
  add(state_->losses.data(), state_->losses.size() * sizeof(float));
  for (const at::Tensor& one : state_->weights) {
    const at::Tensor on_host = one.detach().cpu().contiguous();
    add(on_host.data_ptr(), on_host.nbytes());
  }
  return hex_text(hash);
}

ProbeTraining train_on_cuda(int steps) {
  try {
    return trained(steps, Determinism::strict);
  } catch (const std::exception& failure) {
    if (!refuses_determinism(failure)) throw;
  }
  const NondeterminismWatch watch;
  ProbeTraining result = trained(steps, Determinism::where_it_exists);
  result.nondeterministic_operators = watch.operators();
  return result;
}

namespace {

/// The most bytes that were live at once.
std::int64_t peak_of(const MemoryTrace& trace) {
  std::int64_t live = 0;
  std::int64_t peak = 0;
  for (const MemoryChange& change : trace.changes()) {
    if (change.what == MemoryChange::What::reserved) continue;
    live += change.bytes;
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace

ProbePeaks traced_cuda_step(DeviceSide& side) {
  MemoryTrace trace;  // outlives the tensors whose release it sees
  const std::unique_ptr<Backend> backend = side.make_backend(nullptr);
  const std::shared_ptr<void> end_of_trace(nullptr, [&](void*) { backend->trace_memory(nullptr); });
  CudaProbeTraining training;
  training.step();
  backend->synchronize();
  backend->reset_peak();
  if (!backend->trace_memory(&trace)) throw ProbeRefusal("the allocator reports no blocks");
  training.step();
  backend->synchronize();
  const MemoryStats stats = backend->memory();
  backend->trace_memory(nullptr);
  if (!stats.peak_requested_bytes) throw ProbeRefusal("the allocator has no statistics of requested bytes");
  return {.by_trace_bytes = peak_of(trace), .by_statistics_bytes = *stats.peak_requested_bytes};
}

ProbeWork cuda_step_counted_by_kineto() {
  const ProfilerConfig config(ProfilerState::KINETO);
  const std::set<ActivityType> kinds = {ActivityType::CPU, ActivityType::CUDA};
  CudaProbeTraining training;
  training.step();
  ProbeWork work;
  for (int profile = 0; profile < 2; ++profile) {  // the first profile starts the profiler's own threads
    c10::cuda::device_synchronize();
    profiler::prepareProfiler(config, kinds);
    profiler::enableProfiler(config, kinds);
    training.step();
    c10::cuda::device_synchronize();
    const auto result = profiler::disableProfiler();
    work = {};
    for (const auto& event : result->events()) {
      if (event.deviceType() != c10::DeviceType::CUDA) continue;
      const std::string name = event.name();
      ++(name.starts_with("Memcpy") ? work.memcpys : name.starts_with("Memset") ? work.memsets : work.kernels);
    }
  }
  if (work.kernels == 0) throw ProbeRefusal("Kineto recorded no device work: CUPTI's activities are refused here");
  return work;
}

}  // namespace stepgate
