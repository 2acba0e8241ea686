// Activation checkpointing: a part of the model keeps its inputs instead of its activations, and runs once more in
// backward. It costs one more forward of that part and saves the memory of everything in it.
//
//   hidden = stepgate::checkpoint([&](const torch::Tensor& x) { return block->forward(x); }, hidden);
//
// Gradients equal those of the plain block to the bit, with dropout and under autocast too: the random generators and
// the autocast state of the forward are in force again while the block runs a second time. The block must compute the
// same from the same inputs both times; what it captures must stay as it is until backward.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/torch.h>

#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace stepgate {

namespace checkpointed {

/// States of the generators of the CPU and of the GPUs that hold an input.
class RandomState {
 public:
  /// Takes the states as they are now.
  explicit RandomState(const torch::autograd::variable_list& inputs) {
    add(at::detail::getDefaultCPUGenerator());
    for (const torch::Tensor& input : inputs) {
      if (input.defined() && input.is_cuda()) add(at::globalContext().defaultGenerator(input.device()));
    }
  }
  void restore() const {
    for (auto [generator, state] : states_) {
      const std::lock_guard lock(generator.mutex());
      generator.set_state(state);
    }
  }

 private:
  void add(at::Generator generator) {
    for (const auto& [known, state] : states_) {
      if (known == generator) return;
    }
    const std::lock_guard lock(generator.mutex());
    states_.emplace_back(generator, generator.get_state());
  }

  std::vector<std::pair<at::Generator, torch::Tensor>> states_;
};

/// Autocast of the calling thread for one kind of device.
struct AutocastState {
  at::DeviceType device;
  bool enabled;
  at::ScalarType dtype;

  static AutocastState of(at::DeviceType device) {
    return {device, at::autocast::is_autocast_enabled(device), at::autocast::get_autocast_dtype(device)};
  }
  void set() const {
    at::autocast::set_autocast_enabled(device, enabled);
    at::autocast::set_autocast_dtype(device, dtype);
  }
};

struct AutocastStates {
  std::vector<AutocastState> devices = {AutocastState::of(at::kCPU), AutocastState::of(at::kCUDA)};
  bool cache = at::autocast::is_autocast_cache_enabled();

  void set() const {
    for (const AutocastState& one : devices) one.set();
    at::autocast::set_autocast_cache_enabled(cache);
  }
};

using Block = std::function<torch::Tensor(const torch::autograd::variable_list&)>;

/// What a checkpoint keeps from forward to backward beside its inputs.
struct Region : torch::CustomClassHolder {
  Region(Block region_block, const torch::autograd::variable_list& inputs)
      : block(std::move(region_block)), random(inputs) {}

  Block block;
  RandomState random;
  AutocastStates autocast;
};

/// The state of the forward is in force within this scope, and afterwards what was before, also after an exception.
class SecondRun {
 public:
  SecondRun(const Region& region, const torch::autograd::variable_list& inputs) : random_(inputs) {
    region.random.restore();
    region.autocast.set();
    at::autocast::increment_nesting();
  }
  ~SecondRun() {
    at::autocast::decrement_nesting();
    at::autocast::clear_cache();  // its casts belong to the graph of this run
    autocast_.set();
    random_.restore();
  }
  SecondRun(const SecondRun&) = delete;
  SecondRun& operator=(const SecondRun&) = delete;

 private:
  RandomState random_;
  AutocastStates autocast_;
  torch::AutoGradMode with_grad_{true};
};

/// The node in the graph. Within its forward LibTorch records nothing, so the block's activations die at once.
class Recomputed : public torch::autograd::Function<Recomputed> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const c10::intrusive_ptr<Region>& region,
                               const std::optional<torch::Tensor>& /*path: present where no input needs a gradient*/,
                               at::TensorList tensors) {
    const torch::autograd::variable_list inputs = tensors.vec();
    context->saved_data["region"] = c10::IValue::make_capsule(region);
    context->save_for_backward(inputs);
    const torch::Tensor result = region->block(inputs);
    // A block may hand back an input or a view of it, which the graph would then treat as changed in place.
    for (const torch::Tensor& input : inputs) {
      if (result.is_alias_of(input)) return result.clone();
    }
    return result;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    if (!torch::autograd::Engine::get_default_engine().is_checkpoint_valid()) {
      throw std::logic_error(
          "stepgate::checkpoint: torch::autograd::grad() and backward() with inputs compute only the gradients they "
          "are asked for, which a checkpoint cannot do; call backward() without inputs");
    }
    const auto saved = context->get_saved_variables();
    const auto region = c10::static_intrusive_pointer_cast<Region>(context->saved_data["region"].toCapsule());
    torch::autograd::variable_list inputs;
    for (const torch::Tensor& input : saved) {
      inputs.push_back(input.defined() ? input.detach().requires_grad_(input.requires_grad()) : input);
    }
    const torch::Tensor result = run_again(*region, inputs);
    // A block of frozen parameters has nothing to train.
    if (result.requires_grad()) torch::autograd::backward({result}, {gradients[0]});
    torch::autograd::variable_list of_inputs = {torch::Tensor(), torch::Tensor()};  // the region, the path
    for (const torch::Tensor& input : inputs) of_inputs.push_back(input.defined() ? input.grad() : torch::Tensor());
    return of_inputs;
  }

 private:
  static torch::Tensor run_again(const Region& region, const torch::autograd::variable_list& inputs) {
    const SecondRun scope(region, inputs);
    return region.block(inputs);
  }
};

inline bool any_needs_gradient(const torch::autograd::variable_list& inputs) {
  for (const torch::Tensor& input : inputs) {
    if (input.defined() && input.requires_grad()) return true;
  }
  return false;
}

template <typename Function, std::size_t... at>
Block block_of(Function block, std::index_sequence<at...> /*positions*/) {
  return [block = std::move(block)](const torch::autograd::variable_list& inputs) mutable -> torch::Tensor {
    return block(inputs[at]...);
  };
}

}  // namespace checkpointed

/// block(inputs...), without keeping its activations for backward.
///
/// `block` takes the tensors `inputs` and returns one tensor; everything else it captures. It is copied, and is called
/// once more in backward, within it, on the thread that runs backward. Parameters that it uses get their gradients as
/// usual, whether or not an input needs one (indices of an embedding do not): no block stays untrained silently.
/// Without grad mode it is called plainly. Checkpoints nest. An exception in the block passes through.
///
/// An input changed in place before backward is an error of LibTorch in backward, as for any saved tensor. Backward
/// throws std::logic_error under torch::autograd::grad() and backward() with `inputs`, and there are no second
/// derivatives. A block that draws random numbers on a GPU needs an input on that GPU.
///
/// The method: Chen and others, "Training Deep Nets with Sublinear Memory Cost" (2016).
template <typename Function, typename... Inputs>
torch::Tensor checkpoint(Function block, const Inputs&... inputs) {
  static_assert(sizeof...(Inputs) > 0, "checkpoint(block, inputs...): give at least one tensor");
  static_assert((std::is_convertible_v<const Inputs&, const torch::Tensor&> && ...),
                "checkpoint(block, inputs...): inputs are tensors; the block captures anything else");
  if (!torch::GradMode::is_enabled()) return block(inputs...);
  const torch::autograd::variable_list tensors = {inputs...};
  const auto region = c10::make_intrusive<checkpointed::Region>(
      checkpointed::block_of(std::move(block), std::index_sequence_for<Inputs...>()), tensors);
  std::optional<torch::Tensor> path;  // for the gradient that starts the second run
  if (!checkpointed::any_needs_gradient(tensors)) path = torch::empty({0}, torch::requires_grad());
  return checkpointed::Recomputed::apply(region, path, at::TensorList(tensors));
}

}  // namespace stepgate
