// The work of the simulated device, which knows each interval exactly.
#pragma once

#include <string>

#include "measure/device/fake/fake_backend.h"
#include "measure/device/work/device_work_trace.h"

namespace stepgate {

class FakeWorkTrace final : public DeviceWorkTrace {
 public:
  /// `refuses`: why start() fails; "" where it does not. `backend` must outlive this.
  explicit FakeWorkTrace(FakeBackend& backend, std::string refuses = "")
      : backend_(backend), refuses_(std::move(refuses)) {}
  ~FakeWorkTrace() override { FakeWorkTrace::stop(); }

  std::string start() override;
  std::optional<std::int64_t> now_ns() override { return backend_.now_ns(); }
  std::variant<std::vector<WorkInterval>, std::string> take() override;
  void stop() override;

 private:
  FakeBackend& backend_;
  std::string refuses_;
  std::vector<WorkInterval> work_;
  bool running_ = false;
};

}  // namespace stepgate
