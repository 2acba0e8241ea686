#include "emulator/cupti/cupti_record_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace stepgate::emulator {

void RecordStore::set_callbacks(BufferCallbacks callbacks) {
  const std::lock_guard lock(buffer_mutex_);
  hand_over();  // a buffer goes back to whom it came from
  callbacks_ = std::move(callbacks);
}

bool RecordStore::has_callbacks() const {
  const std::lock_guard lock(buffer_mutex_);
  return static_cast<bool>(callbacks_.complete);
}

std::size_t RecordStore::held() const {
  const std::lock_guard lock(held_mutex_);
  return held_.size();
}

void RecordStore::add(std::span<const std::byte> record, std::int64_t end_ns) {
  Held held{{record.begin(), record.end()}, end_ns};
  const std::lock_guard lock(held_mutex_);
  held_.push_back(std::move(held));
}

std::vector<RecordStore::Held> RecordStore::take_complete(std::int64_t until_ns) {
  const std::lock_guard lock(held_mutex_);
  const auto still_running =
      std::stable_partition(held_.begin(), held_.end(), [=](const Held& record) { return record.end_ns <= until_ns; });
  std::vector<Held> complete(std::make_move_iterator(held_.begin()), std::make_move_iterator(still_running));
  held_.erase(held_.begin(), still_running);
  // A host far ahead of the device must not look through the same records at each call.
  many_ = std::max(least_many, 2 * held_.size());
  return complete;
}

void RecordStore::deliver_if_many(std::int64_t now_ns) {
  std::size_t held = 0;
  {
    const std::lock_guard lock(held_mutex_);
    held = held_.size();
    if (held == 0 || (held < many_ && has_buffer_)) return;
  }
  const std::lock_guard lock(buffer_mutex_);
  ask_for_buffer();
  if (held >= many_) deliver(take_complete(now_ns));
}

void RecordStore::flush(std::int64_t now_ns, bool forced) {
  const std::lock_guard lock(buffer_mutex_);
  deliver(take_complete(forced ? std::numeric_limits<std::int64_t>::max() : now_ns));
  hand_over();
}

void RecordStore::deliver(const std::vector<Held>& records) {
  for (const Held& record : records) write(record.bytes);
}

void RecordStore::write(std::span<const std::byte> record) {
  const std::size_t bytes = padded_record(record.size());
  const bool has_place =
      used_bytes_ + bytes <= buffer_.bytes && (buffer_.most_records == 0 || used_records_ < buffer_.most_records);
  if (buffer_.data != nullptr && !has_place) hand_over();
  ask_for_buffer();
  if (buffer_.data == nullptr || bytes > buffer_.bytes) {
    ++dropped_;
    return;
  }
  std::memset(buffer_.data + used_bytes_, 0, bytes);
  std::memcpy(buffer_.data + used_bytes_, record.data(), record.size());
  used_bytes_ += bytes;
  ++used_records_;
}

void RecordStore::ask_for_buffer() {
  if (buffer_.data == nullptr && callbacks_.request) buffer_ = callbacks_.request();
  has_buffer_ = buffer_.data != nullptr;
}

void RecordStore::hand_over() {
  if (buffer_.data == nullptr) return;
  const RecordBuffer full = std::exchange(buffer_, {});
  has_buffer_ = false;
  const std::size_t valid_bytes = std::exchange(used_bytes_, 0);
  used_records_ = 0;
  callbacks_.complete(full, valid_bytes);
}

}  // namespace stepgate::emulator
