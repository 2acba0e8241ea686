// A work counter with the calls of the CUDA runtime and driver beside what another counter counts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "measure/device/cupti/call_counter.h"
#include "measure/device/work/work_counter.h"

namespace stepgate::cupti {

/// What calls without a row in call_table.h are listed under.
inline constexpr const char* other_calls = "other";

/// If CUPTI refuses, only `inner` counts, and absent() names the metrics and the reason.
class DeviceCallCounter final : public WorkCounter {
 public:
  DeviceCallCounter(std::unique_ptr<WorkCounter> inner, const OpenedLibrary& library);
  ~DeviceCallCounter() override;

  bool tell_launches(std::function<void(std::string_view kernel)> listener) override;
  void start() override;
  void stop() override;
  WorkTotals totals() override;
  std::map<std::string, std::string> absent() const override;

 private:
  std::unique_ptr<WorkCounter> inner_;
  std::unique_ptr<CallCounter> calls_;  ///< nullptr without a library
  std::string no_library_;
  std::string refused_;
};

}  // namespace stepgate::cupti
