// The subscriber of callbacks: who hears of each call of the runtime and the driver.
#pragma once

#include <cupti_callbacks.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "emulator/cupti/cupti_call_filter.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// CUPTI takes one subscriber a process. No lock is held while its function runs, because it may call anything.
class CuptiSubscribers final : public MachineObserver {
 public:
  CUptiResult subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc function, void* user);
  CUptiResult unsubscribe(CUpti_SubscriberHandle handle);
  CUptiResult enable_domain(bool on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain);
  CUptiResult enable_callback(bool on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id);
  /// Ends whatever subscription there is.
  void forget();

  void entered(const ApiCall& call) override;
  void left(const ApiCall& call) override;
  void waited(const HostWait& wait) override;

 private:
  struct Subscription {
    CUpti_SubscriberHandle handle = nullptr;
    CUpti_CallbackFunc function = nullptr;
    void* user = nullptr;
    std::array<CallFilter, CUPTI_CB_DOMAIN_SIZE> filters;
  };
  using Current = std::shared_ptr<const Subscription>;

  Current current() const;
  bool is_current(CUpti_SubscriberHandle handle) const;
  template <typename Change>
  CUptiResult change_filter(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, Change change);
  void tell_call(const ApiCall& call, CUpti_ApiCallbackSite site) const;
  void tell_waits() const;

  std::atomic<bool> is_subscribed_ = false;  ///< so that a call without a subscriber takes no lock
  mutable std::mutex mutex_;
  Current current_;  ///< replaced, never changed: a callback on another thread may still use the old one
  std::uintptr_t handles_ = 0;
};

/// Of the process.
CuptiSubscribers& cupti_subscribers();

}  // namespace stepgate::emulator
