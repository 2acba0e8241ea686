#include "measure/device/cuda/cuda_sync_watch.h"

#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>

#include <string_view>

namespace stepgate {
namespace {

/// The text of warn_or_error_on_sync() in c10/cuda.
constexpr std::string_view sync_warning = "called a synchronizing CUDA operation";

class CudaSyncWatch final : public SyncWatch, public c10::WarningHandler {
 public:
  ~CudaSyncWatch() override { CudaSyncWatch::stop(); }

  void start() override {
    count_ = 0;
    if (running_) return;
    running_ = true;
    next_ = c10::WarningUtils::get_warning_handler();
    c10::WarningUtils::set_warning_handler(this);
    c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_WARN);
  }

  void stop() override {
    if (!running_) return;
    running_ = false;
    c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_DISABLED);
    c10::WarningUtils::set_warning_handler(next_);
  }

  std::int64_t count() const override { return count_; }

  void process(const c10::Warning& warning) override {
    if (std::string_view(warning.msg()).find(sync_warning) == std::string_view::npos) {
      next_->process(warning);
    } else {
      ++count_;
    }
  }

 private:
  c10::WarningHandler* next_ = nullptr;
  std::int64_t count_ = 0;
  bool running_ = false;
};

}  // namespace

std::unique_ptr<SyncWatch> make_cuda_sync_watch() { return std::make_unique<CudaSyncWatch>(); }

}  // namespace stepgate
