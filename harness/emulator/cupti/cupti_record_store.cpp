#include "emulator/cupti/cupti_record_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace stepgate::emulator {

void RecordStore::set_callbacks(BufferCallbacks callbacks) {
  Filling before;
  {
    const std::lock_guard lock(buffer_mutex_);
    before = std::exchange(waiting_, {});
    callbacks_ = std::make_shared<const BufferCallbacks>(std::move(callbacks));
  }
  hand_over(before);  // a buffer goes back to whom it came from
}

bool RecordStore::has_callbacks() const {
  const std::lock_guard lock(buffer_mutex_);
  return static_cast<bool>(callbacks_->complete);
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
  bool are_many = false;
  {
    const std::lock_guard lock(held_mutex_);
    are_many = held_.size() >= many_;
    if (held_.empty() || (!are_many && has_buffer_)) return;
  }
  deliver(are_many ? take_complete(now_ns) : std::vector<Held>{}, Delivery::asks_for_buffer);
}

void RecordStore::flush(std::int64_t now_ns, bool forced) {
  deliver(take_complete(forced ? std::numeric_limits<std::int64_t>::max() : now_ns), Delivery::hands_all_over);
  {
    std::unique_lock lock(buffer_mutex_);
    no_delivery_.wait(lock, [this] { return deliveries_ == 0; });
  }
  deliver({}, Delivery::hands_all_over);  // a buffer that another thread has left meanwhile
}

void RecordStore::deliver(const std::vector<Held>& records, Delivery delivery) {
  Filling filling = begin_delivery();
  if (delivery == Delivery::asks_for_buffer) ask_for_buffer(filling);
  for (const Held& record : records) write(filling, record.bytes);
  if (delivery == Delivery::hands_all_over) hand_over(filling);
  end_delivery(std::move(filling));
}

RecordStore::Filling RecordStore::begin_delivery() {
  const std::lock_guard lock(buffer_mutex_);
  ++deliveries_;
  Filling filling = std::exchange(waiting_, {});
  filling.callbacks = callbacks_;
  return filling;
}

void RecordStore::end_delivery(Filling filling) {
  {
    const std::lock_guard lock(buffer_mutex_);
    const bool has_place = waiting_.buffer.data == nullptr && filling.callbacks == callbacks_;
    if (has_place) waiting_ = std::exchange(filling, {});
  }
  hand_over(filling);  // the reader has changed, or another thread was here
  {
    const std::lock_guard lock(buffer_mutex_);
    --deliveries_;
  }
  no_delivery_.notify_all();
}

void RecordStore::ask_for_buffer(Filling& filling) {
  if (filling.buffer.data == nullptr && filling.callbacks->request) filling.buffer = filling.callbacks->request();
  has_buffer_ = filling.buffer.data != nullptr;
}

void RecordStore::write(Filling& filling, std::span<const std::byte> record) {
  const std::size_t bytes = padded_record(record.size());
  RecordBuffer& buffer = filling.buffer;
  const bool has_place = filling.used_bytes + bytes <= buffer.bytes &&
                         (buffer.most_records == 0 || filling.used_records < buffer.most_records);
  if (buffer.data != nullptr && !has_place) hand_over(filling);
  ask_for_buffer(filling);
  if (buffer.data == nullptr || bytes > buffer.bytes) {
    ++dropped_;
    return;
  }
  std::memset(buffer.data + filling.used_bytes, 0, bytes);
  std::memcpy(buffer.data + filling.used_bytes, record.data(), record.size());
  filling.used_bytes += bytes;
  ++filling.used_records;
}

void RecordStore::hand_over(Filling& filling) {
  if (filling.buffer.data == nullptr) return;
  has_buffer_ = false;
  const RecordBuffer full = std::exchange(filling.buffer, {});
  const std::size_t valid_bytes = std::exchange(filling.used_bytes, 0);
  filling.used_records = 0;
  filling.callbacks->complete(full, valid_bytes);
}

}  // namespace stepgate::emulator
