// Records on their way into the buffers of who asked for them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace stepgate::emulator {

/// A buffer of the reader. `data` is nullptr where it gave none.
struct RecordBuffer {
  std::uint8_t* data = nullptr;
  std::size_t bytes = 0;
  std::size_t most_records = 0;  ///< 0: as many as fit
};

struct BufferCallbacks {
  std::function<RecordBuffer()> request;
  std::function<void(const RecordBuffer& buffer, std::size_t valid_bytes)> complete;
};

/// Keeps records until the work that they tell of has ended and a thread is where it may call the reader. add() is
/// called with the machine's lock held; the others are not. No lock is held while the reader's functions run, so they
/// may wait for a thread that calls the machine, and call anything but a flush.
class RecordStore {
 public:
  /// What is under way goes to the functions that were set before.
  void set_callbacks(BufferCallbacks callbacks);
  bool has_callbacks() const;

  /// `end_ns`: the machine's time at which the record is complete.
  void add(std::span<const std::byte> record, std::int64_t end_ns);
  /// Fills buffers with the complete records and hands full ones over, where enough have come. Asks for a buffer as
  /// soon as there is a record, as CUPTI does: Kineto flushes only where it was asked for one.
  void deliver_if_many(std::int64_t now_ns);
  /// Hands over all complete records; with `forced` those of work that still runs too, with the times that are planned.
  /// Returns when other threads have handed theirs over, too.
  void flush(std::int64_t now_ns, bool forced);
  /// How many found no buffer since the last call.
  std::size_t take_dropped() { return dropped_.exchange(0); }
  std::size_t held() const;

 private:
  struct Held {
    std::vector<std::byte> bytes;
    std::int64_t end_ns = 0;
  };
  /// A buffer that is being filled, and whom it came from.
  struct Filling {
    std::shared_ptr<const BufferCallbacks> callbacks;
    RecordBuffer buffer;
    std::size_t used_bytes = 0;
    std::size_t used_records = 0;
  };

  std::vector<Held> take_complete(std::int64_t until_ns);
  enum class Delivery { asks_for_buffer, hands_all_over };
  void deliver(const std::vector<Held>& records, Delivery delivery);
  Filling begin_delivery();
  void end_delivery(Filling filling);
  void write(Filling& filling, std::span<const std::byte> record);
  void ask_for_buffer(Filling& filling);
  void hand_over(Filling& filling);

  mutable std::mutex held_mutex_;
  std::vector<Held> held_;
  std::size_t many_ = least_many;
  static constexpr std::size_t least_many = 4096;

  mutable std::mutex buffer_mutex_;  ///< of what follows
  std::condition_variable no_delivery_;
  int deliveries_ = 0;  ///< threads between begin_delivery() and end_delivery()
  std::shared_ptr<const BufferCallbacks> callbacks_ = std::make_shared<BufferCallbacks>();
  Filling waiting_;  ///< a buffer with room that no thread has; of callbacks_
  /// Of the reader, as far as known: it is asked once too often rather than never.
  std::atomic<bool> has_buffer_ = false;
  std::atomic<std::size_t> dropped_ = 0;  ///< the reader asks for it while it takes a buffer
};

/// The place of the next record in a buffer: records begin at multiples of 8 bytes.
constexpr std::size_t padded_record(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

}  // namespace stepgate::emulator
