#include "measure/device/work/saved_tensors.h"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/error.h"

namespace stepgate {

struct SavedTensors::Ledger {
  std::mutex mutex;
  Saver saver;
  bool counts = false;
  SavedTotals totals;
  std::unordered_set<const void*> parameters;                ///< storages
  std::unordered_map<const void*, std::int64_t> references;  ///< storage -> saved tensors that keep it

  /// The storage that is kept from now on; nullptr where nothing is to be counted.
  const void* keep(const at::Tensor& tensor);
  void release(const void* storage);
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

/// Keeps what LibTorch would keep: the same storage, without the graph that made the tensor.
class CountedHooks final : public torch::autograd::SavedVariableHooks {
 public:
  explicit CountedHooks(std::shared_ptr<SavedTensors::Ledger> ledger) : ledger_(std::move(ledger)) {}
  ~CountedHooks() override {
    if (storage_ != nullptr) ledger_->release(storage_);
  }
  CountedHooks(const CountedHooks&) = delete;
  CountedHooks& operator=(const CountedHooks&) = delete;

  void call_pack_hook(const at::Tensor& tensor) override {
    kept_ = tensor.tensor_data();
    storage_ = ledger_->keep(tensor);
  }
  at::Tensor call_unpack_hook() override { return kept_; }

 private:
  std::shared_ptr<SavedTensors::Ledger> ledger_;
  at::Tensor kept_;
  const void* storage_ = nullptr;
};

class CountingEngine final : public torch::autograd::Engine {
 public:
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    if (!ledger_is_active.load(std::memory_order_relaxed) || backward_runs()) return nullptr;
    std::shared_ptr<SavedTensors::Ledger> ledger = active_ledger();
    return ledger ? std::make_unique<CountedHooks>(std::move(ledger)) : nullptr;
  }
};

torch::autograd::Engine& counting_engine() {
  static CountingEngine engine;
  return engine;
}

std::atomic<bool> engine_is_installed = false;

}  // namespace

const void* SavedTensors::Ledger::keep(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return nullptr;
  const void* const storage = tensor.storage().unsafeGetStorageImpl();
  const std::lock_guard lock(mutex);
  if (parameters.contains(storage) || is_parameter(tensor)) return nullptr;
  if (++references[storage] == 1 && counts) {
    const auto bytes = static_cast<std::int64_t>(tensor.storage().nbytes());
    const std::string name = saver(bytes);
    totals.bytes += bytes;
    totals.by_operator[name.empty() ? saved_by_no_operator : name] += bytes;
  }
  return storage;
}

void SavedTensors::Ledger::release(const void* storage) {
  const std::lock_guard lock(mutex);
  const auto at = references.find(storage);
  if (--at->second == 0) references.erase(at);
}

void install_saved_tensor_engine() {
  if (engine_is_installed.exchange(true)) return;
  torch::autograd::set_default_engine_stub(counting_engine);
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
  ledger_->counts = true;
  counting_ledger = ledger_;
  ledger_is_active = true;
  running_ = true;
}

void SavedTensors::stop() {
  if (!running_) return;
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

SavedTotals SavedTensors::totals() const {
  const std::lock_guard lock(ledger_->mutex);
  return ledger_->totals;
}

std::string SavedTensors::absent() {
  return engine_is_installed ? "" : "autograd's own engine runs here, which tells nobody what it saves";
}

}  // namespace stepgate
