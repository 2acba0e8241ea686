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

/// Lets SavedTensors see what is saved: LibTorch asks the engine of autograd for hooks of saved tensors, and C++ has no
/// other way to set them. The engine differs from LibTorch's own in that answer alone. Call it in processes of group
/// exact only, before anything runs a backward: engines share no threads. Later calls do nothing.
void install_saved_tensor_engine();

struct SavedTotals {
  std::int64_t bytes = 0;
  std::map<std::string, std::int64_t> by_operator;
};

/// The metric, and what saves outside of any operator: the user's own torch::autograd::Function.
inline constexpr const char* saved_bytes_metric = "saved_bytes_per_step";
inline constexpr const char* saved_by_no_operator = "torch::autograd::Function";

/// Counts between start() and stop(). A storage counts once as long as some graph keeps it, with all its bytes, however
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
  SavedTotals totals() const;  ///< since start()
  /// Why nothing can be counted; "" where it can.
  static std::string absent();

  struct Ledger;  ///< shared with the saved tensors, which may outlive this

 private:
  std::shared_ptr<Ledger> ledger_;
  bool running_ = false;
};

}  // namespace stepgate
