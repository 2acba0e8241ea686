#include "measure/device/work/saved_tensors.h"

#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "measure/device/work/forwarding_engine.h"
#include "measure/device/work/packed_storages.h"

namespace stepgate {

struct SavedTensors::Ledger {
  std::mutex mutex;
  Saver saver;
  bool counts = false;
  SavedTotals totals;
  std::unordered_set<const void*> parameters;                ///< storages
  std::unordered_map<const void*, std::int64_t> references;  ///< storage -> saved tensors that keep it

  /// True if it is to be released later: parameters live anyway.
  bool keep(const c10::StorageImpl& storage);
  void release(const c10::StorageImpl* storage);
};

namespace {

/// The engine is LibTorch's and has no room for it.
std::mutex ledger_mutex;
std::shared_ptr<SavedTensors::Ledger> counting_ledger;
std::atomic<bool> ledger_is_active = false;

std::shared_ptr<SavedTensors::Ledger> active_ledger() {
  const std::lock_guard lock(ledger_mutex);
  return counting_ledger;
}

bool is_trained_leaf(const at::TensorBase& tensor) { return tensor.is_leaf() && tensor.requires_grad(); }

bool is_parameter(const at::Tensor& tensor) {
  return is_trained_leaf(tensor) || (tensor.is_view() && is_trained_leaf(tensor._base()));
}

bool backward_runs() { return torch::autograd::get_current_graph_task_id() != -1; }

/// Keeps what LibTorch would keep, the same storage without the graph that made the tensor; or what `of_user` keeps.
class CountedHooks final : public torch::autograd::SavedVariableHooks {
 public:
  CountedHooks(std::shared_ptr<SavedTensors::Ledger> ledger, std::unique_ptr<SavedVariableHooks> of_user)
      : ledger_(std::move(ledger)), of_user_(std::move(of_user)) {}
  ~CountedHooks() override {
    for (const WeakStorage& storage : storages_) ledger_->release(storage._unsafe_get_target());
  }
  CountedHooks(const CountedHooks&) = delete;
  CountedHooks& operator=(const CountedHooks&) = delete;

  void call_pack_hook(const at::Tensor& tensor) override {
    if (of_user_) {
      for (WeakStorage& storage : storages_kept_by([&] { of_user_->call_pack_hook(tensor); }, tensor)) {
        note(std::move(storage), tensor);
      }
      return;
    }
    kept_ = tensor.tensor_data();
    if (tensor.has_storage()) note(tensor.storage().getWeakStorageImpl(), tensor);
  }
  at::Tensor call_unpack_hook() override { return of_user_ ? of_user_->call_unpack_hook() : kept_; }
  /// A compiled backward unpacks by itself where there are no hooks of the user.
  std::optional<std::pair<c10::SafePyObject, c10::SafePyObject>> retrieve_unpack_hook_data() const override {
    return of_user_ ? of_user_->retrieve_unpack_hook_data() : std::nullopt;
  }

 private:
  void note(WeakStorage storage, const at::Tensor& tensor) {
    const bool is_own = tensor.has_storage() && storage._unsafe_get_target() == tensor.storage().unsafeGetStorageImpl();
    if (is_own && is_parameter(tensor)) return;
    if (ledger_->keep(*storage._unsafe_get_target())) storages_.push_back(std::move(storage));
  }

  std::shared_ptr<SavedTensors::Ledger> ledger_;
  std::unique_ptr<SavedVariableHooks> of_user_;
  at::Tensor kept_;
  std::vector<WeakStorage> storages_;
};

class CountingEngine;
/// The last one that was put on top.
std::atomic<CountingEngine*> top_engine = nullptr;

class CountingEngine final : public ForwardingEngine {
 public:
  using ForwardingEngine::ForwardingEngine;

  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    auto of_user = ForwardingEngine::get_default_saved_variable_hooks();
    if (this != top_engine || !ledger_is_active.load(std::memory_order_relaxed) || backward_runs()) return of_user;
    std::shared_ptr<SavedTensors::Ledger> ledger = active_ledger();
    if (!ledger) return of_user;
    return std::make_unique<CountedHooks>(std::move(ledger), std::move(of_user));
  }
};

torch::autograd::Engine& counting_engine() { return *top_engine.load(); }

bool counting_engine_is_default() { return &torch::autograd::Engine::get_default_engine() == top_engine.load(); }

/// An engine that is set later may have an earlier one of these below it, so all of them stay until the process ends.
void put_engine_on_top() {
  static auto& engines = *new std::vector<std::unique_ptr<CountingEngine>>;
  if (counting_engine_is_default()) return;
  engines.push_back(std::make_unique<CountingEngine>(torch::autograd::Engine::get_default_engine()));
  top_engine = engines.back().get();
  torch::autograd::set_default_engine_stub(counting_engine);
}

}  // namespace

bool SavedTensors::Ledger::keep(const c10::StorageImpl& storage) {
  const std::lock_guard lock(mutex);
  if (parameters.contains(&storage)) return false;
  if (++references[&storage] == 1 && counts) {
    const auto bytes = static_cast<std::int64_t>(storage.nbytes());
    const std::string name = saver(bytes);
    totals.bytes += bytes;
    totals.by_operator[name.empty() ? saved_by_no_operator : name] += bytes;
  }
  return true;
}

void SavedTensors::Ledger::release(const c10::StorageImpl* storage) {
  const std::lock_guard lock(mutex);
  const auto at = references.find(storage);
  if (--at->second == 0) references.erase(at);
}

SavedTensors::SavedTensors(Saver saver) : ledger_(std::make_shared<Ledger>()) { ledger_->saver = std::move(saver); }

SavedTensors::~SavedTensors() { stop(); }

void SavedTensors::start(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) {
    if (parameter.has_storage()) ledger_->parameters.insert(parameter.storage().unsafeGetStorageImpl());
  }
  const std::lock_guard lock(ledger_mutex);
  if (counting_ledger) {
    throw Error(ErrorKind::measure, "saved tensors are already being counted in this process",
                "count in one pass at a time");
  }
  put_engine_on_top();
  ledger_->counts = true;
  counting_ledger = ledger_;
  ledger_is_active = true;
  running_ = true;
}

void SavedTensors::stop() {
  if (!running_) return;
  check_engine();
  running_ = false;
  {
    const std::lock_guard lock(ledger_mutex);
    ledger_is_active = false;
    counting_ledger = nullptr;
  }
  // A graph that outlives this pass still has the ledger, but nobody to tell.
  const std::lock_guard lock(ledger_->mutex);
  ledger_->counts = false;
}

void SavedTensors::check_engine() { replaced_ = replaced_ || (running_ && !counting_engine_is_default()); }

SavedTotals SavedTensors::totals() {
  check_engine();
  const std::lock_guard lock(ledger_->mutex);
  return ledger_->totals;
}

std::string SavedTensors::absent() const {
  if (!replaced_) return "";
  return "the program set another engine of autograd while its steps were counted, and what was saved then is not "
         "known; it counts where the engine is set before the warm-up ends";
}

}  // namespace stepgate
