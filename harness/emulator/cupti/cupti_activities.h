// Which activities are recorded, and the way from what the machine tells to the reader's buffers.
#pragma once

#include <cupti_activity.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/cupti/cupti_call_filter.h"
#include "emulator/cupti/cupti_event_recordings.h"
#include "emulator/cupti/cupti_record_store.h"
#include "emulator/cupti/cupti_records.h"
#include "emulator/cupti/cupti_timestamps.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Records come with the machine's times. No overhead is recorded, because tracing takes none of them.
class CuptiActivities final : public MachineObserver {
 public:
  CUptiResult enable(CUpti_ActivityKind kind);
  CUptiResult disable(CUpti_ActivityKind kind);
  /// Of the functions of one domain.
  void enable_call(ApiDomain domain, CUpti_CallbackId id, bool on);
  void enable_event_times(bool on) { has_event_times_ = on; }
  void set_clock(CUpti_TimestampCallbackFunc ticks);
  std::uint64_t now_ticks();
  RecordStore& records() { return records_; }
  /// Turns all off and forgets the reader's functions; hands over what is complete.
  void forget();

  void entered(const ApiCall& call) override;
  void left(const ApiCall& call) override;
  void planned(const PlannedOperation& planned) override;
  void waited(const HostWait& wait) override;
  void dropped_event(EventHandle event) override;

 private:
  using Lock = std::lock_guard<std::mutex>;

  bool records_kind(CUpti_ActivityKind kind) const { return (kinds_ >> kind & 1U) != 0; }
  bool records_call(const ApiCall& call) const;
  void note_recording();
  TickMap& map();
  RecordTimes times_of(std::int64_t begin_ns, std::int64_t end_ns);
  const char* kept_name(std::string_view name);
  void plan_record(const PlannedOperation& planned);
  void note_event(const PlannedOperation& planned);
  std::uint32_t stream_of(const HostWait& wait) const;
  template <typename Record>
  void add(const Record& record, std::int64_t end_ns) {
    records_.add(std::as_bytes(std::span(&record, 1)), end_ns);
  }

  std::atomic<bool> is_recording_ = false;  ///< so that a call without a reader takes no lock
  std::atomic<bool> has_event_times_ = false;
  std::atomic<std::uint64_t> kinds_ = 0;  ///< a bit for each kind that is on
  RecordStore records_;

  mutable std::mutex mutex_;  ///< of what follows
  CallFilter runtime_calls_;
  CallFilter driver_calls_;
  CUpti_TimestampCallbackFunc ticks_ = nullptr;
  std::optional<TickMap> map_;
  std::set<std::string, std::less<>> names_;  ///< of kernels: records point to them, so none is ever removed
  std::map<std::pair<int, StreamHandle>, std::uint32_t> streams_;  ///< numbers in records
  EventRecordings recordings_;                                     ///< their numbers are sync ids in records
};

/// Of the process.
CuptiActivities& cupti_activities();

}  // namespace stepgate::emulator
