#include "measure/profile/experiments/call_repeater.h"

#include <ATen/SequenceNumber.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/function.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "measure/device/work/program_image.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using torch::jit::Stack;

/// Above all keys of tensors, of autograd and of autocast; nothing of LibTorch uses it.
constexpr auto repeater_key = c10::DispatchKey::TESTING_ONLY_GenericMode;
constexpr std::size_t most_places = 64;  ///< bits of a mask
/// Own choice: half a millisecond a run, so that reading the clock is nothing; the median leaves an interrupted run
/// out.
constexpr std::size_t priced_calls = 1000;
constexpr int priced_runs = 9;

bool is_of_aten(const c10::FunctionSchema& schema) { return schema.name().starts_with("aten::"); }

bool writes(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

/// A tensor of the same size and layout with the same values.
at::Tensor scratch_like(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  at::Tensor scratch = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
  scratch.copy_(tensor);
  return scratch;
}

c10::IValue scratch_of(const c10::IValue& value) {
  if (value.isTensor()) return scratch_like(value.toTensor());
  if (!value.isTensorList()) return value;
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& tensor : value.toTensorVector()) tensors.push_back(scratch_like(tensor));
  return tensors;
}

/// What was written into has a history of autograd if another operand needs gradients; it would grow with each step.
void drop_history(const c10::IValue& value) {
  const auto drop = [](const at::Tensor& tensor) {
    if (tensor.requires_grad()) tensor.detach_();
  };
  if (value.isTensor()) drop(value.toTensor());
  if (!value.isTensorList()) return;
  for (const at::Tensor& tensor : value.toTensorVector()) drop(tensor);
}

/// Hands gradients on. It costs what autograd itself costs for a node.
struct EmptyNode : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    return std::move(gradients);
  }
};

/// Nodes are held by std::shared_ptr up to some version after 2.11, and by c10::intrusive_ptr in 2.15.
template <typename Node, typename Pointer>
Pointer new_node() {
  if constexpr (std::is_constructible_v<Pointer, std::shared_ptr<Node>>) {
    return std::make_shared<Node>();
  } else {
    return c10::make_intrusive<Node>();
  }
}

/// Puts an empty node behind the results of a call, so that backward runs one node more for it.
void pass_gradients_through_one_node_more(const Stack& stack, std::size_t results) {
  for (auto at = stack.end() - static_cast<std::ptrdiff_t>(results); at != stack.end(); ++at) {
    const c10::IValue& result = *at;
    if (!result.isTensor() || !result.toTensor().requires_grad() || !result.toTensor().grad_fn()) continue;
    const at::Tensor& tensor = result.toTensor();
    const torch::autograd::Edge before = torch::autograd::impl::gradient_edge(tensor);
    const auto node = new_node<EmptyNode, std::decay_t<decltype(before.function)>>();
    const auto input = node->add_input_metadata(tensor);
    node->set_next_edges({before});
    torch::autograd::impl::set_gradient_edge(tensor, {node, input});
  }
}

}  // namespace

struct CallRepeater::State {
  /// One call of a boundary, by its order.
  struct LearntCall {
    const c10::FunctionSchema* schema = nullptr;
    std::uint64_t places = 0;  ///< bit i: it belongs to place i
    bool repeatable = true;
  };

  explicit State(const std::vector<RepeatedPlace>& given) : places(given), image(program_image()) {}

  /// The fallback of repeater_key for all operators. What an operator calls in turn does not pass through it.
  static void on_call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack);

  void learn(const c10::OperatorHandle& op, const std::function<void()>& run);
  /// True if the call was repeated and wrote into none of its arguments.
  bool repeat_if_asked(const c10::OperatorHandle& op, const Stack& stack);
  bool repeat(const c10::OperatorHandle& op, const Stack& stack, const LearntCall& call);
  std::uint64_t places_now() const;
  /// Whether a step of any shape has calls of the place in this boundary.
  bool holds_repeated() const;
  void stray();
  /// The boundary that ends has made fewer calls than those learnt.
  void stray_if_fewer();

  static inline std::atomic<State*> only_one = nullptr;

  const std::vector<RepeatedPlace> places;
  const ProgramImage image;
  const std::thread::id step_thread = std::this_thread::get_id();
  std::optional<torch::Library> fallback;
  Mode mode = Mode::off;
  std::size_t repeated_place = 0;
  std::uint64_t repeated = 0;  ///< its bit
  Boundary boundary = Boundary::data_wait;
  std::vector<LearntCall>* learnt = nullptr;  ///< calls of this boundary with this shape; nullptr: none is known
  std::size_t next = 0;                       ///< order of the next call in this boundary
  bool strayed = false;                       ///< since the boundary began
  /// Boundaries with calls of a place while it was repeated.
  struct Boundaries {
    std::int64_t all = 0;
    std::int64_t strayed = 0;
  };
  std::map<std::size_t, Boundaries> boundaries;                                        ///< by place
  std::map<std::pair<Boundary, std::uint64_t>, std::vector<LearntCall>> learnt_calls;  ///< by boundary and shape
  std::unordered_map<std::uint64_t, std::uint64_t> places_of_node;  ///< by sequence number, since it began to learn
  std::map<std::pair<const LearntCall*, std::size_t>, c10::IValue> scratch;  ///< by argument
};

void CallRepeater::State::on_call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(repeater_key);
  const c10::DispatchKeySet keys_below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, repeater_key);
  State* const state = only_one.load();
  const bool on_step_thread = state != nullptr && (std::this_thread::get_id() == state->step_thread ||
                                                   torch::autograd::get_current_node() != nullptr);
  if (on_step_thread && state->mode == Mode::learn) {
    state->learn(op, [&] { op.redispatchBoxed(keys_below, stack); });
    return;
  }
  const bool repeated = on_step_thread && state->mode == Mode::repeat && state->repeat_if_asked(op, *stack);
  op.redispatchBoxed(keys_below, stack);
  if (repeated && at::GradMode::is_enabled())
    pass_gradients_through_one_node_more(*stack, op.schema().returns().size());
}

/// Places of the calls on the stack. A node of autograd has those of the operator that made it, but for a node of the
/// user's own function, which runs the user's code.
std::uint64_t CallRepeater::State::places_now() const {
  if (const auto node = torch::autograd::get_current_node();
      node != nullptr && std::strstr(node->name().c_str(), "CppNode<") == nullptr) {
    const auto known = places_of_node.find(node->sequence_nr());
    return known == places_of_node.end() ? 0 : known->second;
  }
  std::uint64_t found = 0;
  for (const std::uint64_t offset : own_calls_on_stack(image)) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (std::ranges::binary_search(places[i].offsets, offset)) found |= std::uint64_t{1} << i;
    }
  }
  return found;
}

void CallRepeater::State::learn(const c10::OperatorHandle& op, const std::function<void()>& run) {
  const std::uint64_t of_places = places_now();
  const std::uint64_t first_node = at::sequence_number::peek();
  run();
  for (std::uint64_t node = first_node; of_places != 0 && node < at::sequence_number::peek(); ++node) {
    places_of_node[node] = of_places;
  }
  if (learnt != nullptr)
    learnt->push_back({.schema = &op.schema(), .places = of_places, .repeatable = is_of_aten(op.schema())});
}

bool CallRepeater::State::holds_repeated() const {
  return std::ranges::any_of(learnt_calls, [&](const auto& calls) {
    return calls.first.first == boundary &&
           std::ranges::any_of(calls.second, [&](const LearntCall& call) { return (call.places & repeated) != 0; });
  });
}

void CallRepeater::State::stray() {
  if (!strayed && holds_repeated()) ++boundaries[repeated_place].strayed;
  strayed = true;
}

void CallRepeater::State::stray_if_fewer() {
  if (mode == Mode::repeat && learnt != nullptr && next < learnt->size()) stray();
}

bool CallRepeater::State::repeat_if_asked(const c10::OperatorHandle& op, const Stack& stack) {
  if (strayed) return false;
  const std::size_t index = next++;
  if (learnt == nullptr || index >= learnt->size() || (*learnt)[index].schema != &op.schema()) {
    stray();
    return false;
  }
  LearntCall& call = (*learnt)[index];
  if ((call.places & repeated) == 0 || !call.repeatable) return false;
  try {
    return repeat(op, stack, call);
  } catch (const std::exception&) {
    return call.repeatable = false;
  }
}

bool CallRepeater::State::repeat(const c10::OperatorHandle& op, const Stack& stack, const LearntCall& call) {
  const auto& arguments = op.schema().arguments();
  Stack again(stack.end() - static_cast<std::ptrdiff_t>(arguments.size()), stack.end());
  bool written = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!writes(arguments[i])) continue;
    c10::IValue& kept = scratch[{&call, i}];
    if (kept.isNone()) kept = scratch_of(again[i]);
    again[i] = kept;
    written = true;
  }
  op.callBoxed(&again);
  if (!written || !at::GradMode::is_enabled()) return !written;
  again.clear();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (writes(arguments[i])) drop_history(scratch[{&call, i}]);
  }
  return false;
}

CallRepeater::CallRepeater(const std::vector<RepeatedPlace>& places) : state_(std::make_unique<State>(places)) {
  State* none = nullptr;
  if (places.size() > most_places) {
    throw Error(ErrorKind::measure, fmt::format("{} places are to be repeated", places.size()),
                fmt::format("name at most {}", most_places));
  }
  if (!State::only_one.compare_exchange_strong(none, state_.get())) {
    throw Error(ErrorKind::measure, "calls are already being repeated in this process", "repeat in one pass at a time");
  }
  state_->fallback.emplace(torch::Library::IMPL, "_", repeater_key, __FILE__, __LINE__);
  state_->fallback->fallback(torch::CppFunction::makeFromBoxedFunction<&State::on_call>());
}

CallRepeater::~CallRepeater() {
  set_mode(Mode::off);
  state_->fallback.reset();
  State::only_one = nullptr;
}

void CallRepeater::set_mode(Mode mode, std::size_t place) {
  state_->stray_if_fewer();
  state_->mode = mode;
  state_->repeated_place = place;
  state_->repeated = std::uint64_t{1} << place;
  state_->learnt = nullptr;
  state_->strayed = false;
  state_->places_of_node.clear();
  if (mode == Mode::learn) state_->scratch.clear();  // of calls that are forgotten
  c10::impl::tls_set_dispatch_key_included(repeater_key, mode != Mode::off);
}

void CallRepeater::drop_scratch() { state_->scratch.clear(); }

void CallRepeater::enter(Boundary boundary, std::uint64_t shape) {
  State& state = *state_;
  state.stray_if_fewer();
  state.boundary = boundary;
  state.next = 0;
  state.strayed = false;
  if (state.mode == Mode::learn) {
    state.learnt = &state.learnt_calls[{boundary, shape}];
    state.learnt->clear();
    return;
  }
  const auto known = state.learnt_calls.find({boundary, shape});
  state.learnt = known == state.learnt_calls.end() ? nullptr : &known->second;
  if (state.mode == Mode::repeat && state.holds_repeated()) ++state.boundaries[state.repeated_place].all;
}

double CallRepeater::repeating_ns() {
  const at::NoGradGuard no_grad;
  const at::Tensor tensor = at::zeros({2});
  const auto& select = c10::Dispatcher::singleton().findSchemaOrThrow("aten::select", "int").schema();
  std::vector<State::LearntCall> calls(priced_calls, {.schema = &select, .places = 1});
  const auto call_ns = [&](Mode mode) {
    set_mode(mode, 0);
    state_->learnt = &calls;
    state_->next = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < priced_calls; ++i) at::select(tensor, 0, 1);
    const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - begin;
    set_mode(Mode::off);
    return wall.count() / static_cast<double>(priced_calls);
  };
  std::vector<double> prices;
  for (int run = 0; run < priced_runs; ++run) {
    const double alone = call_ns(Mode::off);
    prices.push_back(call_ns(Mode::repeat) - call_ns(Mode::pass) - alone);
  }
  return std::max(0.0, median(prices));
}

std::int64_t CallRepeater::calls_of(std::size_t place) const {
  std::map<Boundary, std::int64_t> most;
  for (const auto& [key, learnt] : state_->learnt_calls) {
    const std::int64_t calls = std::ranges::count_if(
        learnt, [&](const State::LearntCall& call) { return call.repeatable && (call.places >> place & 1) != 0; });
    most[key.first] = std::max(most[key.first], calls);
  }
  std::int64_t sum = 0;
  for (const auto& [boundary, calls] : most) sum += calls;
  return sum;
}

double CallRepeater::strayed_share(std::size_t place) const {
  const auto at = state_->boundaries.find(place);
  if (at == state_->boundaries.end() || at->second.all == 0) return 0;
  return static_cast<double>(at->second.strayed) / static_cast<double>(at->second.all);
}

}  // namespace stepgate
