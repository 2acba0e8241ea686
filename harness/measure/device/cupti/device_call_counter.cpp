#include "measure/device/cupti/device_call_counter.h"

#include <utility>

#include "measure/device/cupti/call_table.h"

namespace stepgate::cupti {

DeviceCallCounter::DeviceCallCounter(std::unique_ptr<WorkCounter> inner, const OpenedLibrary& library)
    : inner_(std::move(inner)) {
  if (const auto* open = std::get_if<std::shared_ptr<const Library>>(&library)) {
    calls_ = std::make_unique<CallCounter>(*open);
  } else {
    no_library_ = std::get<std::string>(library);
  }
}

DeviceCallCounter::~DeviceCallCounter() { DeviceCallCounter::stop(); }

bool DeviceCallCounter::tell_launches(std::function<void(std::string_view kernel)> listener) {
  if (calls_) calls_->tell_launches(std::move(listener));
  return true;
}

void DeviceCallCounter::start() {
  inner_->start();
  refused_ = calls_ ? calls_->start() : no_library_;
}

void DeviceCallCounter::stop() {
  if (calls_) calls_->stop();
  inner_->stop();
}

WorkTotals DeviceCallCounter::totals() {
  WorkTotals totals = inner_->totals();
  if (!calls_ || !refused_.empty()) return totals;
  CallTotals calls = calls_->totals();
  for (const auto& [metric, by_name] : calls.by_call) totals.counters[metric] = total_of(calls, metric);
  totals.device_calls = std::move(calls.by_call);
  totals.device_calls[other_calls] = std::move(calls.other);
  return totals;
}

std::map<std::string, std::string> DeviceCallCounter::absent() const {
  std::map<std::string, std::string> reasons;
  if (refused_.empty()) return reasons;
  for (const std::string_view metric : counted_metrics()) reasons[std::string(metric)] = refused_;
  return reasons;
}

}  // namespace stepgate::cupti
