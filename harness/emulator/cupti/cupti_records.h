// Records of CUPTI as its header lays them out, made from what the machine tells.
#pragma once

#include <cupti_activity.h>

#include <cstdint>

#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// On the clock of the reader.
struct RecordTimes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Bytes of a record; 0 for a kind of which no record is made.
std::size_t bytes_of_record(CUpti_ActivityKind kind);

/// Every device has one context.
inline std::uint32_t context_of(int device) { return static_cast<std::uint32_t>(device) + 1; }

/// The first stream, which is the default one of the first device in most programs, has number 7 in records of a GPU.
inline constexpr std::uint32_t first_stream_number = 7;
inline std::uint32_t stream_number_of(std::uint32_t counted_from_1) { return counted_from_1 - 1 + first_stream_number; }

/// `name`: of the kernel, ends with '\0' and outlives the records.
CUpti_ActivityKernel10 kernel_record(const PlannedOperation& planned, const RecordTimes& times, const char* name);
/// Within one device, or between it and the host.
CUpti_ActivityMemcpy6 copy_record(const PlannedOperation& planned, const RecordTimes& times, bool async);
/// Between two devices. Which the other device is, the machine does not tell: it is 0xffffffff.
CUpti_ActivityMemcpyPtoP4 peer_copy_record(const PlannedOperation& planned, const RecordTimes& times, bool async);
/// The value is 0: the machine does not tell it.
CUpti_ActivityMemset4 memset_record(const PlannedOperation& planned, const RecordTimes& times, bool async);
/// `time`: 0 where the reader did not ask for it. `sync_id`: a number for each recording of any event.
CUpti_ActivityCudaEvent2 event_record(const PlannedOperation& planned, std::uint64_t time, std::uint64_t sync_id);
/// Of a stream that waits for an event.
CUpti_ActivitySynchronization2 event_wait_record(const PlannedOperation& planned, const RecordTimes& times,
                                                 std::uint64_t sync_id);
/// Of the host. `stream`: the number of HostWait's stream in records; `sync_id`: of HostWait's event.
CUpti_ActivitySynchronization2 host_wait_record(const HostWait& wait, const RecordTimes& times, std::uint32_t stream,
                                                std::uint64_t sync_id);
/// CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN for a wait that has no record: of a copy, or of freed memory.
CUpti_ActivitySynchronizationType type_of_wait(WaitKind kind);
CUpti_ActivityAPI call_record(const ApiCall& call, const RecordTimes& times);
CUpti_ActivityExternalCorrelation external_record(int kind, std::uint64_t id, std::uint32_t correlation);

}  // namespace stepgate::emulator
