#include "emulator/cupti/cupti_subscribers.h"

#include <utility>

#include "emulator/cupti/cupti_thread_stack.h"
#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

namespace stepgate::emulator {
namespace {

/// The machine tells of a wait with its lock held, so the subscriber hears of it when the call ends.
using WaitsToTell = ThreadStack<HostWait, 16>;
constinit thread_local WaitsToTell waits_to_tell;

bool is_domain(CUpti_CallbackDomain domain) {
  return domain > CUPTI_CB_DOMAIN_INVALID && domain < CUPTI_CB_DOMAIN_SIZE;
}

/// Ends the process where a subscriber asks for callbacks that would never come though there is a reason for them.
void admit(CUpti_CallbackDomain domain, const char* function) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) refuse(function, "callbacks of streams, graphs and modules");
  if (domain == CUPTI_CB_DOMAIN_NVTX) refuse(function, "callbacks of NVTX");
  // CUPTI_CB_DOMAIN_STATE tells of CUPTI's own errors: this one has none to tell.
}

/// The contexts of all devices are there from the start and live as long as the process, so no one hears of them.
bool is_about_contexts(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  return domain == CUPTI_CB_DOMAIN_RESOURCE &&
         (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED || id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
}

CUpti_CallbackDomain domain_of(const ApiCall& call) {
  return call.domain == ApiDomain::runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
}

/// CUPTI_CBID_SYNCHRONIZE_INVALID for waits that have no callback.
CUpti_CallbackIdSync callback_of(WaitKind kind) {
  if (kind == WaitKind::stream) return CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED;
  if (kind == WaitKind::device) return CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED;
  return CUPTI_CBID_SYNCHRONIZE_INVALID;
}

}  // namespace

CuptiSubscribers& cupti_subscribers() {
  // Never destroyed: LibTorch calls the runtime from destructors of its own.
  static auto& subscribers = *new CuptiSubscribers;
  return subscribers;
}

CUptiResult CuptiSubscribers::subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc function, void* user) {
  if (handle == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(mutex_);
  if (current_ != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  auto subscription = std::make_shared<Subscription>();
  subscription->handle = reinterpret_cast<CUpti_SubscriberHandle>(++handles_);
  subscription->function = function;
  subscription->user = user;
  *handle = subscription->handle;
  current_ = std::move(subscription);
  is_subscribed_ = true;
  return CUPTI_SUCCESS;
}

CUptiResult CuptiSubscribers::unsubscribe(CUpti_SubscriberHandle handle) {
  const std::lock_guard lock(mutex_);
  if (!is_current(handle)) return CUPTI_ERROR_INVALID_PARAMETER;
  current_ = nullptr;
  is_subscribed_ = false;
  return CUPTI_SUCCESS;
}

void CuptiSubscribers::forget() {
  const std::lock_guard lock(mutex_);
  current_ = nullptr;
  is_subscribed_ = false;
}

bool CuptiSubscribers::is_current(CUpti_SubscriberHandle handle) const {
  return current_ != nullptr && current_->handle == handle;
}

CuptiSubscribers::Current CuptiSubscribers::current() const {
  if (!is_subscribed_) return nullptr;
  const std::lock_guard lock(mutex_);
  return current_;
}

template <typename Change>
CUptiResult CuptiSubscribers::change_filter(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, Change change) {
  const std::lock_guard lock(mutex_);
  if (!is_current(handle) || !is_domain(domain)) return CUPTI_ERROR_INVALID_PARAMETER;
  auto changed = std::make_shared<Subscription>(*current_);
  change(changed->filters[static_cast<std::size_t>(domain)]);
  current_ = std::move(changed);
  return CUPTI_SUCCESS;
}

CUptiResult CuptiSubscribers::enable_domain(bool on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain) {
  if (on && is_domain(domain)) admit(domain, "cuptiEnableDomain");
  return change_filter(handle, domain, [on](CallFilter& filter) { filter.set_all(on); });
}

CUptiResult CuptiSubscribers::enable_callback(bool on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain,
                                              CUpti_CallbackId id) {
  if (on && is_domain(domain) && !is_about_contexts(domain, id)) admit(domain, "cuptiEnableCallback");
  return change_filter(handle, domain, [on, id](CallFilter& filter) { filter.set_one(id, on); });
}

void CuptiSubscribers::tell_call(const ApiCall& call, CUpti_ApiCallbackSite site) const {
  const Current subscription = current();
  if (subscription == nullptr) return;
  const CUpti_CallbackDomain domain = domain_of(call);
  if (!subscription->filters[static_cast<std::size_t>(domain)].lets_through(call.id)) return;
  int outcome = call.outcome;
  CUpti_CallbackData data{};
  data.callbackSite = site;
  data.functionName = call.name;
  data.functionParams = call.parameters;
  data.functionReturnValue = site == CUPTI_API_EXIT ? &outcome : nullptr;
  data.symbolName = call.symbol;
  data.contextUid = static_cast<std::uint32_t>(thread_state().device) + 1;
  data.correlationData = call.correlation_data;
  data.correlationId = call.correlation;
  subscription->function(subscription->user, domain, call.id, &data);
}

void CuptiSubscribers::tell_waits() const {
  if (waits_to_tell.empty()) return;
  const WaitsToTell waits = waits_to_tell;  // a callback may call what waits
  waits_to_tell.clear();
  const Current subscription = current();
  if (subscription == nullptr) return;
  for (const HostWait& wait : waits) {
    const CUpti_CallbackIdSync id = callback_of(wait.kind);
    if (!subscription->filters[CUPTI_CB_DOMAIN_SYNCHRONIZE].lets_through(id)) continue;
    CUpti_SynchronizeData data{};
    const auto stream = static_cast<std::uintptr_t>(wait.kind == WaitKind::stream ? wait.stream : default_stream);
    data.stream = reinterpret_cast<CUstream>(stream);
    subscription->function(subscription->user, CUPTI_CB_DOMAIN_SYNCHRONIZE, id, &data);
  }
}

void CuptiSubscribers::entered(const ApiCall& call) {
  tell_waits();  // of a function without callbacks
  tell_call(call, CUPTI_API_ENTER);
}

void CuptiSubscribers::left(const ApiCall& call) {
  tell_waits();
  tell_call(call, CUPTI_API_EXIT);
}

void CuptiSubscribers::waited(const HostWait& wait) {
  if (!is_subscribed_ || callback_of(wait.kind) == CUPTI_CBID_SYNCHRONIZE_INVALID) return;
  if (!waits_to_tell.push(wait)) refuse(wait.function, "callbacks of so many waits in one call");
}

namespace {

[[maybe_unused]] const bool registered = register_observer(cupti_subscribers());

}  // namespace

}  // namespace stepgate::emulator
