// The functions of CUPTI that LibTorch's profiler and stepgate's own counters call.
#include <cupti.h>

#include <array>
#include <optional>
#include <string>

#include "emulator/cupti/callback_names.h"
#include "emulator/cupti/cupti_activities.h"
#include "emulator/cupti/cupti_external_ids.h"
#include "emulator/cupti/cupti_subscribers.h"
#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"

namespace stepgate::emulator {
namespace {

std::int64_t now_ns() { return process_machine().clock().now_ns(); }

template <std::size_t Size>
const char* name_in(const char* const (&names)[Size], std::uint32_t id) {
  return id < Size ? names[id] : nullptr;
}

const char* callback_name(CUpti_CallbackDomain domain, std::uint32_t id) {
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return name_in(runtime_callback_names, id);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) return name_in(driver_callback_names, id);
  return nullptr;
}

bool is_external_kind(CUpti_ExternalCorrelationKind kind) {
  return kind > CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

/// An attribute that says where a GPU keeps its measurements, or whose buffers they come in. Nothing here depends on
/// it: the machine needs no buffers of the device, and every record is written whole.
struct Attribute {
  CUpti_ActivityAttribute attribute;
  std::size_t bytes;
};
constexpr std::array attributes = {
    Attribute{CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, sizeof(std::size_t)},
    Attribute{CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, sizeof(std::size_t)},
    Attribute{CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, sizeof(std::size_t)},
    Attribute{CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, sizeof(std::uint8_t)},
    Attribute{CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, sizeof(std::uint8_t)},
    Attribute{CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, sizeof(std::uint8_t)},
};

BufferCallbacks callbacks_of(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete) {
  return {[request] {
            RecordBuffer buffer;
            request(&buffer.data, &buffer.bytes, &buffer.most_records);
            return buffer;
          },
          [complete](const RecordBuffer& buffer, std::size_t valid_bytes) {
            complete(nullptr, 0, buffer.data, buffer.bytes, valid_bytes);
          }};
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

// ---- the library

CUptiResult cuptiGetVersion(uint32_t* version) {
  if (version == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(uint64_t* timestamp) {
  if (timestamp == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *timestamp = cupti_activities().now_ticks();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiFinalize(void) {
  cupti_subscribers().forget();
  cupti_activities().forget();
  return CUPTI_SUCCESS;
}

// ---- callbacks

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata) {
  if (callback == nullptr) refuse("cuptiSubscribe", "a subscriber without a function");
  return cupti_subscribers().subscribe(subscriber, callback, userdata);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) { return cupti_subscribers().unsubscribe(subscriber); }

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
  return cupti_subscribers().enable_domain(enable != 0, subscriber, domain);
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId cbid) {
  return cupti_subscribers().enable_callback(enable != 0, subscriber, domain, cbid);
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name) {
  if (name == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const char* const found = callback_name(domain, cbid);
  if (found == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *name = found;
  return CUPTI_SUCCESS;
}

// ---- which activities

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) { return cupti_activities().enable(kind); }

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) { return cupti_activities().disable(kind); }

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable) {
  cupti_activities().enable_call(ApiDomain::runtime, cbid, enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable) {
  cupti_activities().enable_call(ApiDomain::driver, cbid, enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable) {
  cupti_activities().enable_event_times(enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc funcTimestamp) {
  if (funcTimestamp == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  cupti_activities().set_clock(funcTimestamp);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attr, size_t* valueSize, void* value) {
  if (valueSize == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  for (const Attribute& known : attributes) {
    if (known.attribute != attr) continue;
    return *valueSize < known.bytes ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT : CUPTI_SUCCESS;
  }
  refuse("cuptiActivitySetAttribute", "attribute " + std::to_string(attr));
}

// ---- buffers

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                           CUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  if (funcBufferRequested == nullptr || funcBufferCompleted == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  cupti_activities().records().set_callbacks(callbacks_of(funcBufferRequested, funcBufferCompleted));
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  RecordStore& records = cupti_activities().records();
  if (!records.has_callbacks()) return CUPTI_ERROR_INVALID_OPERATION;
  records.flush(now_ns(), (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t validBufferSizeBytes, CUpti_Activity** record) {
  if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  std::size_t place = 0;
  if (*record != nullptr) {
    const std::size_t bytes = bytes_of_record((*record)->kind);
    if (bytes == 0) return CUPTI_ERROR_INVALID_KIND;
    place = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) + padded_record(bytes);
  }
  if (place >= validBufferSizeBytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  auto* const next = reinterpret_cast<CUpti_Activity*>(buffer + place);
  const std::size_t bytes = bytes_of_record(next->kind);
  if (bytes == 0 || place + bytes > validBufferSizeBytes) return CUPTI_ERROR_INVALID_KIND;
  *record = next;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext /*context*/, uint32_t /*streamId*/, size_t* dropped) {
  if (dropped == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *dropped = cupti_activities().records().take_dropped();
  return CUPTI_SUCCESS;
}

// ---- regions of the profiler

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t id) {
  if (!is_external_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
  external_ids_of_thread().push(kind, id);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t* lastId) {
  if (!is_external_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::optional<std::uint64_t> id = external_ids_of_thread().pop(kind);
  if (!id) return CUPTI_ERROR_QUEUE_EMPTY;
  if (lastId != nullptr) *lastId = *id;
  return CUPTI_SUCCESS;
}

}  // extern "C"
