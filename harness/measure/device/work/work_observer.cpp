#include "measure/device/work/work_observer.h"

#include <ATen/record_function.h>

#include <atomic>

#include "core/error.h"
#include "measure/device/work/callbacks_inside.h"
#include "measure/device/work/observation.h"

namespace stepgate {
namespace {

/// LibTorch's callbacks are plain function pointers, so it must be global.
std::atomic<Observation*> active = nullptr;
CallbacksInside inside;

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& call) {
  const CallbacksInside::Presence presence(inside);
  if (Observation* const observation = active.load()) observation->begin(call);
  return nullptr;
}

void on_operator_end(const at::RecordFunction& call, at::ObserverContext* /*none*/) {
  const CallbacksInside::Presence presence(inside);
  if (Observation* const observation = active.load()) observation->end(call);
}

std::unique_ptr<at::ObserverContext> on_node(const at::RecordFunction& node) {
  const CallbacksInside::Presence presence(inside);
  if (Observation* const observation = active.load()) observation->begin_node(node);
  return nullptr;
}

void on_node_end(const at::RecordFunction& /*node*/, at::ObserverContext* /*none*/) {
  const CallbacksInside::Presence presence(inside);
  if (Observation* const observation = active.load()) observation->end_node();
}

}  // namespace

struct WorkObserver::State {
  explicit State(const ObserverOptions& options) : observation(options) {}

  Observation observation;
  bool running = false;
  at::CallbackHandle operators = 0;
  at::CallbackHandle nodes = 0;
};

WorkObserver::WorkObserver(const ObserverOptions& options) : state_(std::make_unique<State>(options)) {}

WorkObserver::~WorkObserver() { stop(); }

void WorkObserver::know_parameters(const std::vector<at::Tensor>& parameters) {
  state_->observation.know_parameters(parameters);
}

void WorkObserver::start() {
  Observation* none = nullptr;
  if (!active.compare_exchange_strong(none, &state_->observation)) {
    throw Error(ErrorKind::measure, "operators are already being observed in this process",
                "observe in one pass at a time");
  }
  state_->running = true;
  state_->observation.start();
  // Two callbacks, because LibTorch would collect the inputs of autograd's nodes as well.
  state_->operators = at::addGlobalCallback(at::RecordFunctionCallback(on_operator, on_operator_end)
                                                .needsInputs(true)
                                                .needsOutputs(true)
                                                .scopes({at::RecordScope::FUNCTION}));
  state_->nodes = at::addGlobalCallback(
      at::RecordFunctionCallback(on_node, on_node_end).scopes({at::RecordScope::BACKWARD_FUNCTION}));
}

void WorkObserver::stop() {
  if (!state_->running) return;
  state_->running = false;
  at::removeCallback(state_->operators);
  at::removeCallback(state_->nodes);
  active = nullptr;
  inside.wait_for_none();
}

void WorkObserver::enter(std::string_view boundary) { state_->observation.enter(boundary); }
void WorkObserver::leave() { state_->observation.leave(); }
void WorkObserver::end_step() { state_->observation.end_step(); }
ObservedTotals WorkObserver::totals() { return state_->observation.totals(); }
std::string WorkObserver::note_saved(std::int64_t bytes) { return state_->observation.note_saved(bytes); }
void WorkObserver::note_launch(std::string_view kernel) { state_->observation.note_launch(kernel); }
ObservedWork WorkObserver::take() { return state_->observation.take(); }

}  // namespace stepgate
