#include "emulator/cupti/cupti_records.h"

#include <pthread.h>
#include <unistd.h>

#include <cstddef>

namespace stepgate::emulator {
namespace {

/// Own choice: kernels are not compiled, so nobody knows. Kineto divides by it when it estimates occupancy.
constexpr std::uint16_t registers_of_a_thread = 32;

constexpr std::uint32_t not_told = CUPTI_SYNCHRONIZATION_INVALID_VALUE;

std::uint64_t number_of(Handle handle) { return handle / handle_step; }

std::uint32_t short_number_of(Handle handle) { return static_cast<std::uint32_t>(number_of(handle)); }

/// What the records of all work of a device share.
template <typename Record>
void fill_work(Record& record, CUpti_ActivityKind kind, const PlannedOperation& planned, const RecordTimes& times) {
  record.kind = kind;
  record.start = times.begin;
  record.end = times.end;
  record.deviceId = static_cast<std::uint32_t>(planned.device);
  record.contextId = context_of(planned.device);
  record.streamId = stream_number_of(planned.stream_number);
  record.correlationId = planned.correlation;
  record.graphId = short_number_of(planned.graph);
  record.graphNodeId = number_of(planned.node);
}

struct CopyKinds {
  CUpti_ActivityMemcpyKind kind;
  CUpti_ActivityMemoryKind from;
  CUpti_ActivityMemoryKind to;
};

CopyKinds kinds_of(CopyDirection direction, bool pageable) {
  constexpr auto device = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  const auto host = pageable ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  switch (direction) {
    case CopyDirection::host_to_device:
      return {CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, host, device};
    case CopyDirection::device_to_host:
      return {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, device, host};
    case CopyDirection::device_to_device:
      return {CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, device, device};
    case CopyDirection::peer:
      return {CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, device, device};
    case CopyDirection::host_to_host:
      return {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, host, host};
  }
  return {CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN, CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN, CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN};
}

template <typename Record>
void fill_copy(Record& record, const Operation& operation, bool async) {
  const CopyKinds kinds = kinds_of(operation.direction, operation.pageable);
  record.copyKind = static_cast<std::uint8_t>(kinds.kind);
  record.srcKind = static_cast<std::uint8_t>(kinds.from);
  record.dstKind = static_cast<std::uint8_t>(kinds.to);
  record.flags = async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
  record.bytes = operation.bytes;
}

}  // namespace

std::size_t bytes_of_record(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return sizeof(CUpti_ActivityCudaEvent2);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(CUpti_ActivityExternalCorrelation);
    default:
      return 0;
  }
}

CUpti_ActivityKernel10 kernel_record(const PlannedOperation& planned, const RecordTimes& times, const char* name) {
  const Operation& operation = planned.operation;
  CUpti_ActivityKernel10 record{};
  fill_work(record, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, planned, times);
  record.completed = times.end;
  record.gridX = static_cast<std::int32_t>(operation.grid.x);
  record.gridY = static_cast<std::int32_t>(operation.grid.y);
  record.gridZ = static_cast<std::int32_t>(operation.grid.z);
  record.blockX = static_cast<std::int32_t>(operation.block.x);
  record.blockY = static_cast<std::int32_t>(operation.block.y);
  record.blockZ = static_cast<std::int32_t>(operation.block.z);
  record.dynamicSharedMemory = static_cast<std::int32_t>(operation.shared_bytes);
  record.registersPerThread = registers_of_a_thread;
  record.gridId = planned.correlation;
  record.name = name;
  record.queued = CUPTI_TIMESTAMP_UNKNOWN;
  record.submitted = CUPTI_TIMESTAMP_UNKNOWN;
  record.launchType = CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR;
  return record;
}

CUpti_ActivityMemcpy6 copy_record(const PlannedOperation& planned, const RecordTimes& times, bool async) {
  CUpti_ActivityMemcpy6 record{};
  fill_work(record, CUPTI_ACTIVITY_KIND_MEMCPY, planned, times);
  fill_copy(record, planned.operation, async);
  record.copyCount = 1;
  return record;
}

CUpti_ActivityMemcpyPtoP4 peer_copy_record(const PlannedOperation& planned, const RecordTimes& times, bool async) {
  CUpti_ActivityMemcpyPtoP4 record{};
  fill_work(record, CUPTI_ACTIVITY_KIND_MEMCPY2, planned, times);
  fill_copy(record, planned.operation, async);
  record.srcDeviceId = record.dstDeviceId = not_told;
  record.srcContextId = record.dstContextId = not_told;
  return record;
}

CUpti_ActivityMemset4 memset_record(const PlannedOperation& planned, const RecordTimes& times, bool async) {
  CUpti_ActivityMemset4 record{};
  fill_work(record, CUPTI_ACTIVITY_KIND_MEMSET, planned, times);
  record.bytes = planned.operation.bytes;
  record.flags = async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  return record;
}

CUpti_ActivityCudaEvent2 event_record(const PlannedOperation& planned, std::uint64_t time, std::uint64_t sync_id) {
  CUpti_ActivityCudaEvent2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  record.correlationId = planned.correlation;
  record.contextId = context_of(planned.device);
  record.streamId = stream_number_of(planned.stream_number);
  record.eventId = short_number_of(planned.operation.event);
  record.deviceId = static_cast<std::uint32_t>(planned.device);
  record.deviceTimestamp = time;
  record.cudaEventSyncId = sync_id;
  return record;
}

CUpti_ActivitySynchronization2 event_wait_record(const PlannedOperation& planned, const RecordTimes& times,
                                                 std::uint64_t sync_id) {
  CUpti_ActivitySynchronization2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  record.start = times.begin;
  record.end = times.end;
  record.correlationId = planned.correlation;
  record.contextId = context_of(planned.device);
  record.streamId = stream_number_of(planned.stream_number);
  record.cudaEventId = short_number_of(planned.operation.event);
  record.cudaEventSyncId = sync_id;
  return record;
}

CUpti_ActivitySynchronizationType type_of_wait(WaitKind kind) {
  switch (kind) {
    case WaitKind::stream:
      return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    case WaitKind::device:
      return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    case WaitKind::event:
      return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
    case WaitKind::copy:
    case WaitKind::free:
      break;
  }
  return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN;
}

CUpti_ActivitySynchronization2 host_wait_record(const HostWait& wait, const RecordTimes& times, std::uint32_t stream,
                                                std::uint64_t sync_id) {
  CUpti_ActivitySynchronization2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = type_of_wait(wait.kind);
  record.start = times.begin;
  record.end = times.end;
  record.correlationId = wait.correlation;
  record.contextId = context_of(wait.device);
  record.streamId = wait.kind == WaitKind::stream ? stream : not_told;
  record.cudaEventId = wait.kind == WaitKind::event ? short_number_of(wait.event) : not_told;
  record.cudaEventSyncId = wait.kind == WaitKind::event ? sync_id : 0;
  return record;
}

CUpti_ActivityAPI call_record(const ApiCall& call, const RecordTimes& times) {
  CUpti_ActivityAPI record{};
  record.kind = call.domain == ApiDomain::runtime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
  record.cbid = call.id;
  record.start = times.begin;
  record.end = times.end;
  record.processId = static_cast<std::uint32_t>(::getpid());
  // CUPTI's numbers of threads are the lower half of pthread_self(): Kineto looks its own threads up by it.
  record.threadId = static_cast<std::uint32_t>(::pthread_self());
  record.correlationId = call.correlation;
  record.returnValue = static_cast<std::uint32_t>(call.outcome);
  return record;
}

CUpti_ActivityExternalCorrelation external_record(int kind, std::uint64_t id, std::uint32_t correlation) {
  CUpti_ActivityExternalCorrelation record{};
  record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  record.externalKind = static_cast<CUpti_ExternalCorrelationKind>(kind);
  record.externalId = id;
  record.correlationId = correlation;
  return record;
}

}  // namespace stepgate::emulator
