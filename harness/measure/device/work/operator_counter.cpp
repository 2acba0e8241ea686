#include "measure/device/work/operator_counter.h"

#include <ATen/record_function.h>

#include "core/error.h"
#include "measure/device/work/callbacks_inside.h"
#include "measure/device/work/worker_thread.h"

namespace stepgate {
namespace {

constexpr std::string_view scalar_read = "aten::_local_scalar_dense";

/// Expected number of distinct operators; a larger number only costs a rehash.
constexpr std::size_t expected_operators = 512;

/// The active counter. LibTorch's callbacks are plain function pointers, so it must be global.
std::atomic<OperatorCounter*> active = nullptr;
CallbacksInside inside;

bool is_tensor_on(const c10::IValue& value, bool cuda) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().is_cuda() == cuda;
}

/// aten::copy_(to, from), which every copy from the GPU to host memory calls, and the read of one number.
bool copies_back(const at::RecordFunction& call) {
  const std::string_view name = call.name();
  const auto inputs = call.inputs();
  if (name == scalar_read) return !inputs.empty() && is_tensor_on(inputs[0], true);
  return name == "aten::copy_" && inputs.size() > 1 && is_tensor_on(inputs[0], false) && is_tensor_on(inputs[1], true);
}

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& call) {
  const CallbacksInside::Presence presence(inside);
  OperatorCounter* const counter = active.load();
  // Only operators have a schema. RECORD_FUNCTION ranges of autograd and of users have the same scope but no schema.
  if (counter != nullptr && call.operator_name().has_value()) counter->count(call.name());
  return nullptr;
}

/// The callback above with the operands, which LibTorch collects only on request.
std::unique_ptr<at::ObserverContext> on_operator_with_inputs(const at::RecordFunction& call) {
  const CallbacksInside::Presence presence(inside);
  OperatorCounter* const counter = active.load();
  if (counter != nullptr && call.operator_name().has_value() && copies_back(call)) counter->count_copy_back();
  return on_operator(call);
}

/// Nodes that the operator made on a thread which runs no other operator afterwards.
void on_operator_end(const at::RecordFunction& /*call*/, at::ObserverContext* /*none*/) {
  const CallbacksInside::Presence presence(inside);
  OperatorCounter* const counter = active.load();
  if (counter != nullptr) counter->end();
}

std::map<std::string, std::int64_t> by_name(const std::unordered_map<std::string_view, std::int64_t>& calls) {
  std::map<std::string, std::int64_t> named;
  for (const auto& [name, count] : calls) named[std::string(name)] += count;
  return named;
}

}  // namespace

OperatorCounter::OperatorCounter(std::unique_ptr<SyncWatch> syncs) : syncs_(std::move(syncs)) {
  calls_.reserve(expected_operators);
}

OperatorCounter::~OperatorCounter() { OperatorCounter::stop(); }

void OperatorCounter::start() {
  if (running_) stop();
  OperatorCounter* none = nullptr;
  if (!active.compare_exchange_strong(none, this)) {
    throw Error(ErrorKind::measure, "operators are already being counted in this process",
                "run one counts pass at a time");
  }
  running_ = true;
  calls_.clear();
  worker_calls_.clear();
  copies_back_ = 0;
  step_thread_ = std::this_thread::get_id();
  nodes_.start();
  if (syncs_) syncs_->start();
  auto callback = syncs_ ? at::RecordFunctionCallback(on_operator_with_inputs, on_operator_end).needsInputs(true)
                         : at::RecordFunctionCallback(on_operator, on_operator_end);
  callback_ = at::addGlobalCallback(callback.scopes({at::RecordScope::FUNCTION}));
}

void OperatorCounter::stop() {
  if (!running_) return;
  running_ = false;
  at::removeCallback(callback_);
  active = nullptr;
  inside.wait_for_none();
  if (syncs_) syncs_->stop();
}

void OperatorCounter::count(const char* name) {
  nodes_.read();
  const bool on_worker = runs_on_worker(step_thread_);
  const std::lock_guard lock(mutex_);
  ++calls_[name];
  if (on_worker) ++worker_calls_[name];
}

WorkTotals OperatorCounter::totals() {
  const std::lock_guard lock(mutex_);
  WorkTotals totals{.operators = by_name(calls_), .worker_operators = by_name(worker_calls_), .counters = {}};
  const auto reads = calls_.find(scalar_read);
  const std::int64_t scalar_reads = reads == calls_.end() ? 0 : reads->second;
  totals.counters["host_syncs_per_step"] = syncs_ ? syncs_->count() : scalar_reads;
  totals.counters["autograd_nodes_per_step"] = nodes_.total();
  if (syncs_) totals.counters["d2h_copies_per_step"] = copies_back_.load();
  return totals;
}

}  // namespace stepgate
