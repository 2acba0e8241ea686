// What autograd keeps of a forward for its backward: bytes of distinct storages, by the operator that saved them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stepgate {

struct SavedTotals {
  std::int64_t bytes = 0;
  std::map<std::string, std::int64_t> by_operator;
};

/// The metric, and what saves outside of any operator: the user's own torch::autograd::Function.
inline constexpr const char* saved_bytes_metric = "saved_bytes_per_step";
inline constexpr const char* saved_by_no_operator = "torch::autograd::Function";

/// Counts between start() and stop(). LibTorch asks the engine of autograd for hooks of saved tensors, and C++ has no
/// other way to set them. So start() puts an engine on top of the one that is the default then (forwarding_engine.h),
/// and leaves it there. Where the engine below has hooks of its own, for example those of a checkpoint, they pack and
/// unpack, and what they keep is counted (packed_storages.h). Where another engine becomes the default before stop(),
/// absent() says so.
///
/// A storage counts once as long as some graph keeps it, with all its bytes, however
/// many tensors and views of it are saved. Parameters and views of them do not count: they live anyway. What is saved
/// while a backward runs does not count either: a checkpoint's second forward saves its activations for a moment, and
/// nothing of it lives at the end of forward.
///
/// Calls no operator and takes no tensor memory, so the other counts of the same steps stay what they are. Only one can
/// be active, because the engine belongs to the process.
class SavedTensors {
 public:
  /// Told the bytes of each new storage on the thread that saves it; answers the name of the operator that runs there.
  using Saver = std::function<std::string(std::int64_t bytes)>;

  explicit SavedTensors(Saver saver);
  ~SavedTensors();
  SavedTensors(const SavedTensors&) = delete;
  SavedTensors& operator=(const SavedTensors&) = delete;

  /// Leaves that require a gradient are known as parameters even where `parameters` does not name them. Throws
  /// Error(measure) if another one counts.
  void start(const std::vector<at::Tensor>& parameters);
  void stop();
  SavedTotals totals();  ///< since start()
  /// Why the totals are not all that was saved, as totals() and stop() found; "" where they are.
  std::string absent() const;

  struct Ledger;  ///< shared with the saved tensors, which may outlive this

 private:
  void check_engine();

  std::shared_ptr<Ledger> ledger_;
  bool running_ = false;
  bool replaced_ = false;  ///< another engine was the default while this counted
};

}  // namespace stepgate
