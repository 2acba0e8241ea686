#include "support/nccl_backend.h"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <utility>
#include <vector>

namespace stepgate {
namespace {

/// Own choice: ranks of a case do equal work and end within seconds of each other. A launcher kills those that are left
/// 2 s after the first failure, so a rank alone does not wait that long.
constexpr std::chrono::seconds leaving_patience{10};

std::string leaving_key(int rank) { return "stepgate_leaves_" + std::to_string(rank); }

class ShutDownNccl final : public c10d::ProcessGroupNCCL {
 public:
  ShutDownNccl(NcclContext context, c10::intrusive_ptr<Options> options)
      : ProcessGroupNCCL(context.store, context.rank, context.ranks, std::move(options)), context_(std::move(context)) {
    if (std::getenv("TORCH_NCCL_ASYNC_ERROR_HANDLING") == nullptr) asyncErrorHandling_ = c10d::CleanUpOnly;
  }
  ~ShutDownNccl() override {
    try {
      // A shutdown waits for the other ranks, so one that is alone would hang there.
      all_leave() ? shutdown() : abort();
    } catch (const std::exception&) {  // the exchange that failed has been reported
    }
  }
  ShutDownNccl(const ShutDownNccl&) = delete;
  ShutDownNccl& operator=(const ShutDownNccl&) = delete;

 private:
  bool all_leave() {
    // Left by an exception: the exchange may have failed before the watchdog has seen why.
    if (std::uncaught_exceptions() > 0 || getError() != c10d::ErrorType::SUCCESS) return false;
    std::vector<std::string> keys;
    for (int rank = 0; rank < context_.ranks; ++rank) keys.push_back(leaving_key(rank));
    try {
      context_.store->set(leaving_key(context_.rank), std::vector<std::uint8_t>{1});
      context_.store->wait(keys, leaving_patience);
      return true;
    } catch (const std::exception&) {
      take_back_leaving();
      return false;
    }
  }

  /// One that comes later would else find all keys, and wait alone.
  void take_back_leaving() noexcept {
    try {
      context_.store->deleteKey(leaving_key(context_.rank));
    } catch (const std::exception&) {  // the store has gone, and nobody can find the key
    }
  }

  NcclContext context_;
};

/// Before LibTorch tells of a hang it leaves time for a dump of its flight recorder: 60 s for each call that waits, and
/// 480 s in the destructor. The launcher ends ranks long before, without the message that says what happened. Whoever
/// wants a dump sets the variables.
void leave_no_time_for_dumps() {
  ::setenv("TORCH_NCCL_DUMP_ON_TIMEOUT", "0", 0);
  ::setenv("TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC", "0", 0);
}

/// An emulated NCCL waits for the other ranks in the call itself, before LibTorch's watchdog hears of the collective.
/// NVIDIA's does not read the variable.
void limit_emulated_calls(std::chrono::milliseconds patience) {
  ::setenv("STEPGATE_EMULATED_NCCL_PATIENCE_MS", std::to_string(patience.count()).c_str(), 0);
}

}  // namespace

c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& context) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = context.patience;
  leave_no_time_for_dumps();  // the constructor of the process group reads the variables
  limit_emulated_calls(context.patience);
  return c10::make_intrusive<ShutDownNccl>(context, options);
}

}  // namespace stepgate
