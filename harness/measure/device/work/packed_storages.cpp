#include "measure/device/work/packed_storages.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "measure/device/work/operators/observed_operands.h"

#ifndef NDEBUG
#error "RecordFunction has other members without NDEBUG than in the LibTorch that is linked: see torch_side.cmake"
#endif

namespace stepgate {
namespace {

/// Watches the operators of this thread as long as it lives.
class PackWatch {
 public:
  PackWatch()
      : outer_(running),
        callback_(at::addThreadLocalCallback(at::RecordFunctionCallback(on_pack_operator, on_pack_operator_end)
                                                 .needsInputs(true)
                                                 .needsOutputs(true)
                                                 .scopes({at::RecordScope::FUNCTION}))) {
    running = this;
  }
  ~PackWatch() {
    at::removeCallback(callback_);
    running = outer_;
  }
  PackWatch(const PackWatch&) = delete;
  PackWatch& operator=(const PackWatch&) = delete;

  std::vector<WeakStorage> take_made() { return std::move(made_); }

 private:
  static std::unique_ptr<at::ObserverContext> on_pack_operator(const at::RecordFunction& call) {
    if (running == nullptr) return nullptr;
    for (const c10::IValue& input : call.inputs()) {
      for_each_tensor(input, [](const c10::TensorImpl& tensor) { running->note_input(tensor); });
    }
    return nullptr;
  }
  static void on_pack_operator_end(const at::RecordFunction& call, at::ObserverContext* /*none*/) {
    if (running == nullptr) return;
    for (const c10::IValue& output : call.outputs()) {
      for_each_tensor(output, [](const c10::TensorImpl& tensor) { running->note_output(tensor); });
    }
  }

  bool is_known(const c10::StorageImpl* storage) const {
    return before_.contains(storage) ||
           std::ranges::any_of(made_, [&](const WeakStorage& made) { return made._unsafe_get_target() == storage; });
  }
  void note_input(const c10::TensorImpl& tensor) {
    if (!tensor.has_storage()) return;
    const c10::StorageImpl* const storage = tensor.unsafe_storage().unsafeGetStorageImpl();
    if (!is_known(storage)) before_.emplace(storage, tensor.unsafe_storage().getWeakStorageImpl());
  }
  void note_output(const c10::TensorImpl& tensor) {
    if (!tensor.has_storage() || is_known(tensor.unsafe_storage().unsafeGetStorageImpl())) return;
    made_.push_back(tensor.unsafe_storage().getWeakStorageImpl());
  }

  static thread_local PackWatch* running;  ///< LibTorch's callbacks are plain function pointers

  PackWatch* outer_;
  at::CallbackHandle callback_;
  /// The weak references keep the addresses from being taken by a new storage.
  std::unordered_map<const c10::StorageImpl*, WeakStorage> before_;
  std::vector<WeakStorage> made_;
};

thread_local PackWatch* PackWatch::running = nullptr;

/// References to a tensor and to its storage.
struct ReferenceCounts {
  explicit ReferenceCounts(const at::Tensor& tensor)
      : to_tensor(tensor.use_count()), to_storage(tensor.has_storage() ? tensor.storage().use_count() : 0) {}
  std::size_t to_tensor;
  std::size_t to_storage;
};

}  // namespace

std::vector<WeakStorage> storages_kept_by(const std::function<void()>& pack, const at::Tensor& tensor) {
  const ReferenceCounts before(tensor);
  std::vector<WeakStorage> kept;
  {
    PackWatch watch;
    pack();
    kept = watch.take_made();
  }
  const c10::StorageImpl* const own = tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
  std::erase_if(kept, [&](const WeakStorage& made) { return made.expired() || made._unsafe_get_target() == own; });
  const ReferenceCounts after(tensor);
  const bool keeps_own = after.to_tensor > before.to_tensor || after.to_storage > before.to_storage;
  if (own != nullptr && keeps_own) kept.push_back(tensor.storage().getWeakStorageImpl());
  return kept;
}

}  // namespace stepgate
