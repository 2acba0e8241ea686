#include "measure/device/cupti/activity_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace stepgate::cupti {
namespace {

constexpr std::array kinds = {kernel_activity, memcpy_activity, memset_activity, peer_memcpy_activity};

/// About 20 000 kernels. CUPTI asks for further buffers as it fills them.
constexpr std::size_t buffer_bytes = std::size_t{4} << 20U;
constexpr std::size_t buffer_alignment = 8;

bool is_work(int kind) {
  for (const int known : kinds) {
    if (kind == known) return true;
  }
  return false;
}

/// What the completed buffers held.
struct Found {
  std::vector<WorkInterval> intervals;
  std::int64_t without_time = 0;  ///< records of work whose times are 0 or run backwards
  std::int64_t dropped = 0;       ///< records for which CUPTI had no buffer
  std::string failed;             ///< the first call that failed
};

class ActivityTrace;

// CUPTI's buffer callbacks carry no pointer of the caller, so the running trace must be global.
std::mutex running_mutex;
ActivityTrace* running = nullptr;

class ActivityTrace final : public DeviceWorkTrace {
 public:
  explicit ActivityTrace(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  ~ActivityTrace() override { ActivityTrace::stop(); }

  std::string start() override;
  std::optional<std::int64_t> now_ns() override;
  std::variant<std::vector<WorkInterval>, std::string> take() override;
  void stop() override;

  void read(std::uint8_t* buffer, std::size_t valid_bytes);
  void note_dropped(void* context, std::uint32_t stream);

 private:
  std::string enable();
  void add(const ActivityRecord& record);

  std::shared_ptr<const Library> library_;
  std::size_t enabled_ = 0;  ///< the first of `kinds`
  Found found_;              ///< guarded by running_mutex
};

void give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  if (buffer == nullptr || bytes == nullptr || most_records == nullptr) return;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;  // as many as fit
}

void take_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                 std::size_t valid_bytes) {
  {
    const std::lock_guard lock(running_mutex);
    if (running != nullptr) {
      if (buffer != nullptr) running->read(buffer, std::min(bytes, valid_bytes));
      running->note_dropped(context, stream);
    }
  }
  std::free(buffer);
}

std::string ActivityTrace::enable() {
  const Table& table = library_->table();
  for (const auto& [symbol, name] :
       {std::pair{reinterpret_cast<void*>(table.next_record.call), table.next_record.name},
        std::pair{reinterpret_cast<void*>(table.flush.call), table.flush.name},
        std::pair{reinterpret_cast<void*>(table.disable_activity.call), table.disable_activity.name}}) {
    if (symbol == nullptr) return fmt::format("this CUPTI has no {}", name);
  }
  if (std::string refused = library_->call(table.register_buffers, give_buffer, take_buffer); !refused.empty()) {
    return refused;
  }
  for (const int kind : kinds) {
    if (std::string refused = library_->call(table.enable_activity, kind); !refused.empty()) return refused;
    ++enabled_;
  }
  return "";
}

std::string ActivityTrace::start() {
  {
    const std::lock_guard lock(running_mutex);
    if (running != nullptr) return "the device's work is already being traced in this process";
    running = this;
    found_ = {};
  }
  std::string refused = enable();
  if (!refused.empty()) stop();
  return refused;
}

void ActivityTrace::stop() {
  {
    const std::lock_guard lock(running_mutex);
    if (running != this) return;
  }
  const Table& table = library_->table();
  for (; enabled_ > 0; --enabled_) static_cast<void>(library_->call(table.disable_activity, kinds[enabled_ - 1]));
  static_cast<void>(library_->call(table.flush, std::uint32_t{0}));
  const std::lock_guard lock(running_mutex);
  running = nullptr;
}

std::optional<std::int64_t> ActivityTrace::now_ns() {
  std::uint64_t ns = 0;
  if (!library_->call(library_->table().timestamp, &ns).empty() || ns == 0) return std::nullopt;
  return static_cast<std::int64_t>(ns);
}

void ActivityTrace::add(const ActivityRecord& record) {
  if (!is_work(record.kind)) return;
  if (record.begin_ns == 0 || record.end_ns < record.begin_ns) {
    ++found_.without_time;
  } else {
    found_.intervals.push_back({static_cast<std::int64_t>(record.begin_ns), static_cast<std::int64_t>(record.end_ns)});
  }
}

void ActivityTrace::read(std::uint8_t* buffer, std::size_t valid_bytes) {
  const auto& next = library_->table().next_record;
  ActivityRecord* record = nullptr;
  // CUPTI walks its own buffer; a library that never says the end would walk on for ever.
  const std::size_t most = valid_bytes / sizeof(ActivityRecord);
  for (std::size_t read = 0; read < most; ++read) {
    const int result = next.call(buffer, valid_bytes, &record);
    if (result == max_limit_reached) return;
    if (result != success || record == nullptr) {
      if (found_.failed.empty()) found_.failed = fmt::format("a buffer of records was not readable (error {})", result);
      return;
    }
    add(*record);
  }
}

void ActivityTrace::note_dropped(void* context, std::uint32_t stream) {
  std::size_t dropped = 0;
  std::string failed = library_->call(library_->table().dropped, context, stream, &dropped);
  if (!failed.empty() && found_.failed.empty()) found_.failed = std::move(failed);
  found_.dropped += static_cast<std::int64_t>(dropped);
}

std::variant<std::vector<WorkInterval>, std::string> ActivityTrace::take() {
  // The device is idle, so every record is complete: a plain flush hands over all of them.
  std::string failed = library_->call(library_->table().flush, std::uint32_t{0});
  const std::lock_guard lock(running_mutex);
  if (running != this) return "the device's work is not being traced";
  const Found found = std::exchange(found_, {});
  if (!failed.empty()) return failed;
  if (!found.failed.empty()) return found.failed;
  if (found.dropped > 0) return fmt::format("CUPTI dropped {} records of the device's work", found.dropped);
  if (found.without_time > 0) {
    return fmt::format("CUPTI gave {} of {} records without a usable time", found.without_time,
                       found.without_time + std::ssize(found.intervals));
  }
  if (found.intervals.empty()) return "CUPTI recorded no work of the device";
  return found.intervals;
}

}  // namespace

std::unique_ptr<DeviceWorkTrace> make_activity_trace(std::shared_ptr<const Library> library) {
  return std::make_unique<ActivityTrace>(std::move(library));
}

}  // namespace stepgate::cupti
