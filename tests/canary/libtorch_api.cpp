// Every header of LibTorch that stepgate includes, and its calls, one function per header or group. It is compiled and
// never run. ci/libtorch_versions compiles it with the oldest and the newest version of LibTorch and notes that in
// compiled_with.txt; ci/nightly compiles it with the installed one. ci/test needs no other LibTorch: it checks that
// every included header stands here, and that this text is the one that was compiled (house.libtorch_canary).
//
// "from": the version in which the call has the form that stands here; "2.9" is the oldest that is promised.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/SequenceNumber.h>
#include <ATen/Version.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/Sleep.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/native/verbose_wrapper.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/Event.h>
#include <c10/core/ScalarType.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>
#include <torch/csrc/profiler/unwind/unwind.h>
#include <torch/library.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <array>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace stepgate::canary {

// Context (from 2.9): deterministic mode, TF32, versions.
bool context() {
  at::Context& found = at::globalContext();
  found.setDeterministicAlgorithms(found.deterministicAlgorithms(), found.deterministicAlgorithmsWarnOnly());
  found.setDeterministicFillUninitializedMemory(found.deterministicFillUninitializedMemory());
  found.setDeterministicCuDNN(found.deterministicCuDNN());
  found.setBenchmarkCuDNN(found.benchmarkCuDNN());
  found.setAllowTF32CuBLAS(found.allowTF32CuBLAS());
  found.setAllowTF32CuDNN(found.allowTF32CuDNN());
  return at::detail::getCUDAHooks().versionCuDNN() > 0 && std::string(TORCH_VERSION) != at::get_cpu_capability();
}

// Switches that hold for the process (from 2.9).
bool switches() {
  const at::Context& found = at::globalContext();
  return found.deterministicMkldnn() && found.userEnabledCuDNN() && found.userEnabledMkldnn() &&
         found.userEnabledNNPACK() && found.userEnabledFlashSDP() && found.userEnabledMemEfficientSDP() &&
         found.userEnabledMathSDP() && found.userEnabledCuDNNSDP() && at::autocast::is_autocast_cache_enabled();
}

// The default dtype and the names of dtypes (from 2.9).
// Names are std::string_view from 2.15 on.
std::string default_dtype() { return std::string(c10::getDtypeNames(c10::get_default_dtype_as_scalartype()).first); }

// Threads (from 2.9).
int threads() {
  at::set_num_threads(at::get_num_threads());
  at::set_num_interop_threads(at::get_num_interop_threads());
  return at::in_parallel_region() ? 1 : 0;
}

// Autocast by device type (from 2.9; before 2.4 each device had functions of its own).
void autocast() {
  at::autocast::set_autocast_enabled(at::kCUDA, at::autocast::is_autocast_enabled(at::kCUDA));
  at::autocast::set_autocast_dtype(at::kCUDA, at::autocast::get_autocast_dtype(at::kCUDA));
  at::autocast::increment_nesting();
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
}

// Observers of operators (from 2.9).
at::CallbackHandle operators() {
  const auto begin = [](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
    for (const c10::IValue& input : call.inputs()) {
      if (input.isTensor() && input.toTensor().defined()) return nullptr;
    }
    static_cast<void>(std::string(call.name()) + std::to_string(call.threadId()));
    return nullptr;
  };
  const auto end = [](const at::RecordFunction& /*call*/, at::ObserverContext* /*context*/) {};
  const at::DisableRecordFunctionGuard off;
  at::removeCallback(at::addGlobalCallback(at::RecordFunctionCallback(begin).scopes({at::RecordScope::FUNCTION})));
  at::RecordFunction range(at::RecordScope::USER_SCOPE);
  if (range.isActive()) range.before("range");
  return at::addGlobalCallback(at::RecordFunctionCallback(begin, end).needsInputs(true));
}

// The events of LibTorch's profiler, and which operator led to which work of the device (from 2.9).
std::uint64_t profiled(const torch::autograd::profiler::ProfilerResult& result) {
  std::uint64_t found = 0;
  for (const torch::autograd::profiler::KinetoEvent& event : result.events()) {
    const bool on_device = event.deviceType() != c10::DeviceType::CPU;
    if (event.hasShapes()) found += event.shapes().size();
    found += on_device ? event.linkedCorrelationId() : event.correlationId();
    found += event.startThreadId() + event.scope() + event.name().size() + event.endNs() - event.startNs();
  }
  return found;
}

// The autograd graph (from 2.9; grad_fn() gives a std::shared_ptr up to some version after 2.11, an intrusive_ptr
// in 2.15).
class Hook final : public torch::autograd::PostAccumulateGradHook {
 public:
  void operator()(const torch::autograd::Variable& /*parameter*/) override {}
};
std::uint64_t graph(const torch::Tensor& weight) {
  torch::autograd::impl::set_post_acc_grad_hooks(weight, std::make_unique<Hook>());
  const torch::autograd::Node* const node = weight.grad_fn().use_count() > 0 ? weight.grad_fn().get() : nullptr;
  const bool backward = torch::autograd::get_current_graph_task_id() != -1;
  return at::sequence_number::peek() + (node == nullptr || backward ? 0 : weight.getIntrusivePtr().use_count());
}

// A fallback for all operators under a key that LibTorch leaves free, and the node that runs now (from 2.9).
constexpr auto free_key = c10::DispatchKey::TESTING_ONLY_GenericMode;
void pass_on(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(free_key);
  if (const auto node = torch::autograd::get_current_node(); node != nullptr && node->sequence_nr() > 0) return;
  torch::jit::Stack again(stack->end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size()), stack->end());
  op.callBoxed(&again);
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, free_key), stack);
}
const c10::FunctionSchema& schema_of_select() {
  return c10::Dispatcher::singleton().findSchemaOrThrow("aten::select", "int").schema();
}
torch::Library fallback() {
  torch::Library library(torch::Library::IMPL, "_", free_key, __FILE__, __LINE__);
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&pass_on>());
  c10::impl::tls_set_dispatch_key_included(free_key, true);
  return library;
}

// A node of one's own behind a result (from 2.9; held by std::shared_ptr up to some version after 2.11, by
// c10::intrusive_ptr in 2.15).
struct EmptyNode : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    return std::move(gradients);
  }
};
template <typename Node, typename Pointer>
Pointer new_node() {
  if constexpr (std::is_constructible_v<Pointer, std::shared_ptr<Node>>) {
    return std::make_shared<Node>();
  } else {
    return c10::make_intrusive<Node>();
  }
}
void put_behind(const at::Tensor& result) {
  const torch::autograd::Edge before = torch::autograd::impl::gradient_edge(result);
  const auto node = new_node<EmptyNode, std::decay_t<decltype(before.function)>>();
  const auto input = node->add_input_metadata(result);
  node->set_next_edges({before});
  torch::autograd::impl::set_gradient_edge(result, {node, input});
}

// The CPU allocator, replaced (from 2.9).
class Counting final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const block = c10::alloc_cpu(bytes);
    return {block, block, &c10::free_cpu, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &c10::free_cpu; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};
void cpu_allocator(Counting& counting) {
  c10::Allocator* const stock = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&counting, 100);
  c10::SetCPUAllocator(stock, 100);
}

// The CUDA allocator: statistics, snapshot, trace (from 2.9; TraceEntry is an alias from 2.10 on).
std::int64_t cuda_allocator(c10::DeviceIndex device) {
  namespace allocator = c10::cuda::CUDACachingAllocator;
  allocator::init(c10::cuda::device_count());
  const auto stats = allocator::getDeviceStats(device);
  std::int64_t sum = stats.allocated_bytes[0].current + stats.requested_bytes[0].peak + stats.active_bytes[0].current +
                     stats.reserved_bytes[0].peak + stats.allocation[0].allocated + stats.num_device_alloc +
                     stats.num_alloc_retries + stats.num_ooms;
  for (const auto& segment : allocator::snapshot().segments) {
    if (segment.device != device) continue;
    sum += static_cast<std::int64_t>(segment.total_size + segment.address);
    for (const auto& block : segment.blocks) {
      if (block.allocated) sum += static_cast<std::int64_t>(block.requested_size + block.size);
    }
  }
  allocator::attachAllocatorTraceTracker([](const allocator::TraceEntry& entry) {
    using Entry = allocator::TraceEntry;
    constexpr std::array seen = {Entry::ALLOC,        Entry::FREE_REQUESTED, Entry::SEGMENT_ALLOC,
                                 Entry::SEGMENT_FREE, Entry::SEGMENT_MAP,    Entry::SEGMENT_UNMAP};
    static_cast<void>(entry.action_ == seen[0] && entry.addr_ + entry.size_ > 0 && entry.device_ >= 0);
  });
  allocator::resetPeakStats(device);
  allocator::emptyCache();
  return sum;
}

// Streams, events and the device (from 2.9; CUDAEvent.h lies in c10 from 2.10 on).
float cuda_streams(c10::DeviceIndex device) {
  c10::cuda::set_device(device);
  const c10::cuda::CUDAStream compute = c10::cuda::getCurrentCUDAStream(device);
  const c10::cuda::CUDAStream copy = c10::cuda::getStreamFromPool(false, device);
  at::cuda::CUDAEvent first(cudaEventDefault);
  at::cuda::CUDAEvent second(cudaEventDefault);
  first.record(compute);
  second.record(copy);
  second.block(compute);
  const c10::cuda::CUDAGuard on_device(compute.device());
  const c10::cuda::CUDAStreamGuard on_copy(copy);
  at::cuda::sleep(1);
  c10::cuda::device_synchronize();
  return first.query() ? first.elapsed_time(second) : 0;
}

// Host syncs that LibTorch warns of (from 2.9).
class Warnings final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { static_cast<void>(warning.msg().size()); }
};
void sync_warnings(Warnings& warnings) {
  c10::WarningHandler* const before = c10::WarningUtils::get_warning_handler();
  c10::WarningUtils::set_warning_handler(&warnings);
  c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_WARN);
  c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_DISABLED);
  c10::WarningUtils::set_warning_handler(before);
}

// Facts of the GPU (CUDA 12 and 13: both have these members).
std::size_t cuda_facts(int device) {
  const cudaDeviceProp& found = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(device));
  std::array<char, 32> bus_id{};
  int runtime = 0;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  C10_CUDA_CHECK(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device));
  C10_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  C10_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const int numbers = found.major + found.minor + found.multiProcessorCount + found.l2CacheSize;
  return found.totalGlobalMem + free_bytes + total_bytes + static_cast<std::size_t>(numbers + runtime) +
         std::string(found.name).size();
}

// Events of any device, for the time of a gradient exchange (from 2.9).
double device_events(const c10::Device& device) {
  const c10::impl::VirtualGuardImpl guard(device.type());
  c10::Event begin(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  c10::Event end(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  begin.record(guard.getStream(device));
  end.record(guard.getStream(device));
  end.synchronize();
  return begin.elapsedTime(end);
}

// Errors without LibTorch's own backtrace (from 2.9).
std::string message(const c10::Error& error) { return error.what_without_backtrace(); }

// Tensors, networks and optimizers of the perftests (from 2.9).
torch::Tensor training(const torch::Tensor& batch, const torch::Tensor& target) {
  torch::nn::Linear layer(8, 8);
  const std::vector<torch::Tensor> weights = layer->parameters();
  torch::optim::AdamW adamw(weights, torch::optim::AdamWOptions(1e-3).weight_decay(0.1));
  torch::optim::SGD sgd(weights, torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(1e-4));
  const auto heads = layer(batch).view({1, 2, -1, 4});
  const auto mixed = torch::scaled_dot_product_attention(heads, heads, heads, {}, 0.0, true);
  auto loss = torch::cross_entropy_loss(mixed.flatten(0, 2), target, {}, at::Reduction::Mean, -100);
  loss.backward();
  const auto norms = at::_foreach_norm({weights.front().grad()});
  at::_foreach_mul_({weights.front().grad()}, torch::ones({}));
  adamw.step();
  adamw.zero_grad();
  return torch::stack(norms).sum() + loss.detach();
}

}  // namespace stepgate::canary
