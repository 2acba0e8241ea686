#include "stepgate/graphed_step.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <chrono>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "measure/device/cuda/cuda_allocator.h"

namespace stepgate {
namespace {

/// Type, sizes and strides of each tensor, one after the other.
using GraphSignature = std::vector<std::int64_t>;

GraphSignature signature_of(const std::vector<torch::Tensor>& inputs) {
  GraphSignature signature;
  for (const torch::Tensor& input : inputs) {
    signature.push_back(static_cast<std::int64_t>(input.scalar_type()));
    signature.push_back(input.dim());
    signature.insert(signature.end(), input.sizes().begin(), input.sizes().end());
    signature.insert(signature.end(), input.strides().begin(), input.strides().end());
  }
  return signature;
}

/// `first`: the device of earlier calls.
void require_on_gpu(const std::vector<torch::Tensor>& inputs, const std::optional<torch::Device>& first) {
  if (inputs.empty()) throw std::runtime_error("a CUDA graph needs at least one input on a GPU, and the step got none");
  const torch::Device wanted = first.value_or(inputs.front().device());
  for (const torch::Tensor& input : inputs) {
    if (input.is_cuda() && input.device() == wanted) continue;
    throw std::runtime_error("a CUDA graph needs all inputs on one GPU, and one is on " + input.device().str() +
                             ": declare the case with .device = \"cuda\"");
  }
}

/// A recording cannot give back what the allocator keeps for later, so the memory of the warm-up would stay beside that
/// of the graph: a step that fills half of a GPU would end there.
void free_kept_memory() {
  c10::cuda::device_synchronize();
  c10::cuda::CUDACachingAllocator::emptyCache();
}

/// Runs `work` on `side`, after what the current stream has and before what it gets.
template <typename Work>
void run_on_side(const c10::cuda::CUDAStream& side, Work work) {
  const c10::cuda::CUDAStream current = c10::cuda::getCurrentCUDAStream(side.device_index());
  at::cuda::CUDAEvent before;
  before.record(current);
  before.block(side);
  {
    const c10::cuda::CUDAStreamGuard guard(side);
    work();
  }
  at::cuda::CUDAEvent after;
  after.record(side);
  after.block(current);
}

void count_nodes(at::cuda::CUDAGraph& recorded, GraphFacts& facts) {
  const cudaGraph_t graph = recorded.raw_cuda_graph();
  std::size_t count = 0;
  C10_CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  C10_CUDA_CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    C10_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    auto& of_type = type == cudaGraphNodeTypeKernel   ? facts.kernel_nodes
                    : type == cudaGraphNodeTypeMemcpy ? facts.memcpy_nodes
                    : type == cudaGraphNodeTypeMemset ? facts.memset_nodes
                                                      : facts.other_nodes;
    ++of_type;
  }
}

/// LibTorch only warns of an empty graph, whose replays train nothing.
void require_kernels(at::cuda::CUDAGraph& recorded) {
  GraphFacts facts;
  count_nodes(recorded, facts);
  if (facts.kernel_nodes > 0) return;
  throw std::runtime_error(
      "the step was recorded as a CUDA graph without kernels: it works on a stream that does not wait for the current "
      "one, or not on this GPU");
}

std::int64_t bytes_of_pool(const at::cuda::MempoolId_t& pool) {
  std::int64_t bytes = 0;
  for (const auto& segment : c10::cuda::CUDACachingAllocator::snapshot(pool).segments) {
    if (segment.owner_private_pool_id == pool) bytes += static_cast<std::int64_t>(segment.total_size);
  }
  return bytes;
}

}  // namespace

struct GraphedStep::State {
  /// The graph of one signature.
  struct Recorded {
    GraphSignature signature;
    std::int64_t warmed_up = 0;
    std::vector<torch::Tensor> inputs = {};  ///< the graph reads these
    std::unique_ptr<at::cuda::CUDAGraph> graph = {};
    torch::Tensor loss = {};
    std::vector<torch::Tensor> gradients = {};  ///< gradients of GraphedStepOptions::parameters; the graph writes these
  };

  Step step;
  GraphedStepOptions options;
  std::optional<torch::Device> device = {};
  std::optional<c10::cuda::CUDAStream> side = {};
  /// The pool of all graphs, one of which runs at a time. What a graph leaves, its loss and gradients, is held above,
  /// so that a later recording does not take that memory. A replay may overwrite what a graph of a later recording
  /// left.
  std::optional<at::cuda::MempoolId_t> pool = {};
  std::deque<Recorded> recorded = {};  ///< `last` points into it
  const Recorded* last = nullptr;
  std::int64_t captures = 0;
  std::chrono::steady_clock::duration recording = {};

  Recorded& of(const std::vector<torch::Tensor>& inputs) {
    const GraphSignature signature = signature_of(inputs);
    for (Recorded& one : recorded) {
      if (one.signature == signature) return one;
    }
    recorded.push_back({.signature = signature});
    return recorded.back();
  }

  void open(const torch::Device& on) {
    if (side) return;
    device = on;
    side = c10::cuda::getStreamFromPool(/*isHighPriority=*/false, on.index());
    pool = at::cuda::graph_pool_handle();
  }

  void drop_gradients() {
    for (torch::Tensor& parameter : options.parameters) parameter.mutable_grad().reset();
  }

  torch::Tensor warm_up(Recorded& one, const std::vector<torch::Tensor>& inputs) {
    ++one.warmed_up;
    torch::Tensor loss;
    run_on_side(*side, [&] { loss = step(inputs).detach(); });
    loss.record_stream(c10::cuda::getCurrentCUDAStream(side->device_index()));
    return loss;
  }

  void capture(Recorded& one, const std::vector<torch::Tensor>& inputs) {
    for (const torch::Tensor& input : inputs) one.inputs.push_back(torch::empty_like(input));
    drop_gradients();
    free_kept_memory();  // with an idle device
    const auto begin = std::chrono::steady_clock::now();
    // Other threads, such as a loader that pins memory, may call what a recording may not.
    constexpr cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    auto graph = std::make_unique<at::cuda::CUDAGraph>(/*keep_graph=*/true);
    try {
      run_on_side(*side, [&] {
        graph->capture_begin(*pool, mode);
        one.loss = step(one.inputs).detach();
        graph->capture_end();
      });
      graph->instantiate();
    } catch (const std::exception& failure) {
      throw std::runtime_error(std::string("the step cannot be recorded as a CUDA graph: ") + failure.what() +
                               "; look for .item(), .cpu(), printing, clip_grad_norm_() and other reads of values, and "
                               "for the state of a generator, which stepgate::checkpoint() takes: LibTorch 2.10 and "
                               "later record that");
    }
    require_kernels(*graph);
    for (const torch::Tensor& parameter : options.parameters) one.gradients.push_back(parameter.grad());
    one.graph = std::move(graph);
    ++captures;
    recording += std::chrono::steady_clock::now() - begin;
  }

  void replay(Recorded& one) {
    one.graph->replay();
    last = &one;
    // Each time: a step of warm-up, or the user, may have put others there.
    for (std::size_t i = 0; i < one.gradients.size(); ++i) options.parameters[i].mutable_grad() = one.gradients[i];
  }
};

GraphedStep::GraphedStep(Step step, GraphedStepOptions options) {
  if (!step) throw std::invalid_argument("a graphed step needs a step");
  if (options.warm_up < 1) throw std::invalid_argument("a graphed step needs at least one step of warm-up");
  state_ = std::make_unique<State>(State{.step = std::move(step), .options = options});
}

GraphedStep::~GraphedStep() = default;

torch::Tensor GraphedStep::operator()(const std::vector<torch::Tensor>& inputs) {
  require_on_gpu(inputs, state_->device);
  state_->open(inputs.front().device());
  State::Recorded& one = state_->of(inputs);
  if (one.warmed_up < state_->options.warm_up) return state_->warm_up(one, inputs);
  if (!one.graph) state_->capture(one, inputs);
  {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < inputs.size(); ++i) one.inputs[i].copy_(inputs[i], /*non_blocking=*/true);
  }
  state_->replay(one);
  return one.loss;
}

GraphFacts GraphedStep::facts() const {
  GraphFacts facts;
  facts.captures = state_->captures;
  facts.recording_ns = std::chrono::nanoseconds(state_->recording).count();
  if (state_->last == nullptr) return facts;
  count_nodes(*state_->last->graph, facts);
  if (is_native_allocator()) facts.pool_bytes = bytes_of_pool(*state_->pool);
  return facts;
}

}  // namespace stepgate
