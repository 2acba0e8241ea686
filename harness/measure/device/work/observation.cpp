#include "measure/device/work/observation.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/profiler/unwind/unwind.h>

#include <chrono>
#include <cstring>

#include "measure/device/work/operators/product_alignment.h"
#include "measure/device/work/operators/waiting_operators.h"
#include "measure/device/work/worker_thread.h"

#ifndef NDEBUG
#error "RecordFunction has other members without NDEBUG than in the LibTorch that is linked: see torch_side.cmake"
#endif

namespace stepgate {
namespace {

/// Operators of loader workers belong there. Number 0.
constexpr const char* loader_boundary = "data_wait";

thread_local ThreadCalls this_thread;
std::atomic<std::uint64_t> runs = 0;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The last arguments of a boxed call are the operator's own.
c10::ArrayRef<const c10::IValue> own_inputs(const at::RecordFunction& call, const OperatorTraits& op) {
  const auto inputs = call.inputs();
  const std::size_t wanted = op.arguments.size();
  return inputs.size() > wanted ? inputs.slice(inputs.size() - wanted) : inputs;
}

const c10::TensorImpl* first_tensor(c10::ArrayRef<const c10::IValue> inputs) {
  return !inputs.empty() && inputs[0].isTensor() ? inputs[0].unsafeToTensorImpl() : nullptr;
}

}  // namespace

Observation::Observation(const ObserverOptions& options) : options_(options), image_(program_image()) {
  sites_.boundary_of(loader_boundary);
}

void Observation::know_parameters(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) {
    parameters_.push_back(parameter.unsafeGetTensorImpl());
    parameter_set_.insert(parameter.unsafeGetTensorImpl());
  }
}

void Observation::start() {
  run_ = ++runs;
  step_thread_ = std::this_thread::get_id();
  check_lines();
}

void Observation::enter(std::string_view boundary) {
  const std::lock_guard lock(mutex_);
  boundary_ = sites_.boundary_of(boundary);
}

ObservedTotals Observation::totals() {
  const std::lock_guard lock(mutex_);
  ObservedTotals totals = totals_;
  totals.launches = launches_.totals();
  return totals;
}

ObservedWork Observation::take() {
  ObservedWork work = sites_.take();
  work.steps = steps_;
  work.by_shape = options_.by_shape;
  work.build_id = image_.build_id;
  work.not_lines = not_lines_;
  if (unwinds_ && work.places.empty() && !work.sites.empty()) {
    work.not_lines = "no call stack showed a function of this program";
  }
  return work;
}

ThreadCalls& Observation::calls_of_thread() const {
  if (this_thread.run != run_) {
    this_thread = {};
    this_thread.run = run_;
  }
  return this_thread;
}

/// nullptr for ranges of autograd and of users, which have no schema. The address of a schema's name tells the
/// operator: schemas live as long as the program, so no range can have its name there.
const OperatorTraits* Observation::traits(ThreadCalls& thread, const at::RecordFunction& call) {
  const char* const name = call.name();
  const auto known = thread.operators.find(name);
  if (known != thread.operators.end()) return known->second;
  const auto operator_name = call.operator_name();
  if (!operator_name) return nullptr;
  const auto handle = c10::Dispatcher::singleton().findSchema(*operator_name);
  if (!handle) return nullptr;
  const std::lock_guard lock(mutex_);
  auto [at, is_new] = operators_by_name_.emplace(name, nullptr);
  if (is_new) at->second = &operators_.emplace_back(traits_of(*handle));
  thread.operators.emplace(name, at->second);
  return at->second;
}

std::int32_t Observation::boundary_of(const ThreadCalls& thread) const {
  if (!thread.calls.empty()) return thread.calls.back().entry->kind.boundary;
  return runs_on_worker(step_thread_) ? 0 : boundary_.load();
}

/// LibTorch unwinds on some platforms only.
void Observation::check_lines() {
  if (!options_.with_lines) return;
  try {
    unwinds_ = !torch::unwind::unwind().empty();
    if (!unwinds_) not_lines_ = "LibTorch finds no call stack here";
  } catch (const c10::Error& error) {
    not_lines_ = std::string("LibTorch cannot unwind the call stack: ") + error.what_without_backtrace();
  }
}

std::string Observation::origin_of(const c10::TensorImpl& tensor) const {
  if (parameter_set_.contains(&tensor)) return "parameter";
  const bool is_gradient = std::ranges::any_of(parameters_, [&](const c10::TensorImpl* parameter) {
    return parameter->grad().unsafeGetTensorImpl() == &tensor;
  });
  if (is_gradient) return "gradient";
  const OperatorTraits* const maker = makers_.of(&tensor);
  return maker == nullptr ? "" : maker->name;
}

void Observation::begin(const at::RecordFunction& call) {
  ThreadCalls& thread = calls_of_thread();
  const OperatorTraits* const op = traits(thread, call);
  if (op == nullptr) return;
  const std::int32_t where = boundary_of(thread);
  if (where == no_boundary) return;
  const OpenCall* const parent = thread.is_nested() ? &thread.calls.back() : nullptr;
  const auto inputs = own_inputs(call, *op);
  OpenCall open;
  open.name = call.name();
  open.op = op;
  open.first_input = first_tensor(inputs);
  open.inputs = sum_inputs(*op, inputs, options_.by_shape);
  open.within_work = parent != nullptr && (parent->within_work || parent->does_work);
  open.within_formula = parent != nullptr && (parent->within_formula || parent->op->formula != nullptr);
  const bool has_kernel = open.inputs.on_gpu ? op->has_cuda_kernel : op->has_cpu_kernel;
  open.does_work = !open.within_work && (op->formula != nullptr || has_kernel);
  decide_wait(inputs, parent, open);
  CallKind kind;
  kind.op = op;
  kind.parent = parent == nullptr ? nullptr : parent->op;
  kind.boundary = where;
  kind.inputs = open.inputs.hash;
  if (op->copies) {
    open.copy = copy_kind(inputs);
    if (open.copy == CopyKind::cast) open.cast = cast_text(inputs);
    kind.callers = thread.callers();
  }
  const OpenNode* const node = thread.node();
  const bool known_place =
      parent != nullptr ? !parent->op->calls_user_code : node != nullptr && node->place != no_place;
  if (unwinds_ && !known_place) thread.stack = own_calls_on_stack(image_);
  {
    const std::lock_guard lock(mutex_);
    if (known_place) {
      kind.place = parent != nullptr ? parent->entry->kind.place : node->place;
      kind.for_forward = parent == nullptr || parent->entry->kind.for_forward;
    } else {
      kind.place = sites_.place_of(thread.stack);
    }
    if (call.seqNr() >= 0 && kind.place != no_place) forward_places_[call.threadId()].set(call.seqNr(), kind.place);
    open.entry = &sites_.entry(kind);
    if (open.entry->sites.empty() || op->formula != nullptr) describe(call, open);
  }
  if (options_.with_launches && open.inputs.on_gpu && !open.described) {
    open.operands = std::make_unique<OperatorCall>(described_call(*op, inputs, unknown_origin));
  }
  if (options_.requested_bytes) open.bytes_before = options_.requested_bytes();
  thread.calls.push_back(std::move(open));
  thread.calls.back().begin_ns = now_ns();
}

/// The outermost operator that waits counts, once: item() calls another operator, and both would wait.
void Observation::decide_wait(c10::ArrayRef<const c10::IValue> inputs, const OpenCall* parent, OpenCall& open) const {
  open.decides_waits = parent != nullptr && parent->decides_waits;
  if (open.decides_waits || (options_.on_gpu && !open.inputs.on_gpu)) return;
  open.waits_as = waiting_name({.name = open.op->name,
                                .rule = open.op->wait,
                                .inputs = inputs,
                                .can_unwind = unwinds_,
                                .of_library = parent != nullptr && !parent->op->calls_user_code});
  open.decides_waits = !open.waits_as.empty() || decides_for_parts(open.op->wait);
}

void Observation::describe(const at::RecordFunction& call, OpenCall& open) {
  const auto inputs = own_inputs(call, *open.op);
  const bool is_first = open.entry->sites.empty();
  open.described = std::make_unique<OperatorCall>(described_call(
      *open.op, inputs, [&](const c10::TensorImpl& tensor) { return is_first ? origin_of(tensor) : std::string(); }));
}

void Observation::end(const at::RecordFunction& call) {
  const std::int64_t end_ns = now_ns();
  ThreadCalls& thread = calls_of_thread();
  if (thread.calls.empty() || thread.calls.back().name != call.name()) return;
  OpenCall open = std::move(thread.calls.back());
  thread.calls.pop_back();
  const OperandSums outputs = sum_outputs(*open.op, call.outputs(), options_.by_shape);
  CallWork work;
  work.is_leaf = is_leaf(open);
  work.total_ns = end_ns - open.begin_ns;
  work.self_ns = work.total_ns - open.children_ns;
  work.flops_known = open.op->formula != nullptr || open.op->counts_no_flops || open.formula_within;
  const std::int64_t allocated = options_.requested_bytes ? options_.requested_bytes() - open.bytes_before : 0;
  work.allocated_bytes = allocated - open.children_bytes;
  work.saved_bytes = open.saved_bytes;
  if (work.is_leaf) work.bytes = moved_bytes(open, outputs);
  if (open.copy) work.copied_bytes = open.inputs.bytes;
  keep(call, open, outputs, work);
  if (thread.calls.empty()) return;
  OpenCall& parent = thread.calls.back();
  ++parent.children;
  parent.children_ns += work.total_ns;
  parent.children_bytes += allocated;
  parent.formula_within |= open.op->formula != nullptr || open.formula_within;
}

void Observation::count_flops(const OpenCall& open, CallWork& work) {
  work.flops = open.op->formula->flops(*open.described);
  const bool misaligned = is_misaligned_product(open.op->name, *open.described, open.inputs.on_gpu);
  work.misaligned_flops = misaligned ? work.flops : 0;
}

void Observation::add_to_totals(const OpenCall& open, const CallWork& work) {
  if (open.entry->kind.boundary == 0) return;
  if (!open.waits_as.empty()) ++totals_.waits[std::string(open.waits_as)];
  totals_.flops += work.flops;
  totals_.misaligned_flops += work.misaligned_flops;
  totals_.bytes += work.bytes;
  const bool is_cast = open.copy == CopyKind::cast;
  if (is_cast) ++totals_.casts[open.cast];
  (is_cast ? totals_.cast_bytes : totals_.copy_bytes) += work.copied_bytes;
}

void Observation::keep(const at::RecordFunction& call, OpenCall& open, const OperandSums& outputs, CallWork& work) {
  const bool counts_flops = open.op->formula != nullptr && !open.within_formula;
  const std::lock_guard lock(mutex_);
  std::optional<std::size_t> site = CallSites::site_of(*open.entry, outputs.hash);
  if (counts_flops || !site) {
    if (!open.described) open.described = std::make_unique<OperatorCall>();
    open.described->outputs = described_outputs(call.outputs());
    if (counts_flops) count_flops(open, work);
    if (!site) site = sites_.new_site(*open.entry, outputs.hash, std::move(*open.described));
  }
  sites_.add(*site, work);
  add_to_totals(open, work);
  for (const c10::IValue& output : call.outputs()) {
    for_each_tensor(output, [&](const c10::TensorImpl& tensor) {
      if (&tensor != open.first_input || open.op->changes_in_place) makers_.set(&tensor, open.op);
    });
  }
}

/// A node of the user's own torch::autograd::Function runs the user's code, which says more than its forward operator.
void Observation::begin_node(const at::RecordFunction& node) {
  ThreadCalls& thread = calls_of_thread();
  OpenNode open;
  open.calls = thread.calls.size();
  if (std::strstr(node.name(), "CppNode<") == nullptr) {
    const std::lock_guard lock(mutex_);
    const auto forward = forward_places_.find(node.forwardThreadId());
    if (forward != forward_places_.end()) open.place = forward->second.at(node.seqNr());
  }
  thread.nodes.push_back(open);
}

std::string Observation::note_saved(std::int64_t bytes) {
  ThreadCalls& thread = calls_of_thread();
  if (thread.calls.empty()) return "";
  thread.calls.back().saved_bytes += bytes;
  return thread.calls.back().op->name;
}

void Observation::note_launch(std::string_view kernel) {
  ThreadCalls& thread = calls_of_thread();
  const std::lock_guard lock(mutex_);
  if (thread.calls.empty()) return launches_.note(kernel);
  OpenCall& open = thread.calls.back();
  const OperatorCall* const operands = open.described ? open.described.get() : open.operands.get();
  launches_.note(kernel, {.op = open.op->name, .operands = operands, .called_library = open.called_library});
}

void Observation::end_node() {
  ThreadCalls& thread = calls_of_thread();
  if (!thread.nodes.empty()) thread.nodes.pop_back();
}

}  // namespace stepgate
