// Records on their way into the buffers of who asked for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
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
/// called with the machine's lock held; the others are not, because the reader's functions may call anything
/// but a flush.
class RecordStore {
 public:
  void set_callbacks(BufferCallbacks callbacks);
  bool has_callbacks() const;

  /// `end_ns`: the machine's time at which the record is complete.
  void add(std::span<const std::byte> record, std::int64_t end_ns);
  /// Fills buffers with the complete records and hands full ones over, where enough have come. Asks for a buffer as
  /// soon as there is a record, as CUPTI does: Kineto flushes only where it was asked for one.
  void deliver_if_many(std::int64_t now_ns);
  /// Hands over all complete records; with `forced` those of work that still runs too, with the times that are planned.
  void flush(std::int64_t now_ns, bool forced);
  /// How many found no buffer since the last call.
  std::size_t take_dropped() { return dropped_.exchange(0); }
  std::size_t held() const;

 private:
  struct Held {
    std::vector<std::byte> bytes;
    std::int64_t end_ns = 0;
  };

  std::vector<Held> take_complete(std::int64_t until_ns);
  void deliver(const std::vector<Held>& records);
  void write(std::span<const std::byte> record);
  void ask_for_buffer();
  void hand_over();

  mutable std::mutex held_mutex_;
  std::vector<Held> held_;
  std::size_t many_ = least_many;
  static constexpr std::size_t least_many = 4096;

  mutable std::mutex buffer_mutex_;  ///< of what follows; held while the reader's functions run
  BufferCallbacks callbacks_;
  RecordBuffer buffer_;
  std::atomic<bool> has_buffer_ = false;  ///< so that a call with a buffer takes no lock of the reader
  std::size_t used_bytes_ = 0;
  std::size_t used_records_ = 0;
  std::atomic<std::size_t> dropped_ = 0;  ///< the reader asks for it while it takes a buffer
};

/// The place of the next record in a buffer: records begin at multiples of 8 bytes.
constexpr std::size_t padded_record(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

}  // namespace stepgate::emulator
