// What planned operations will do to memory, in the order of their ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

/// Effects run one at a time, in the order of time, and where times are equal in the order in which they were added. An
/// effect may itself call the machine.
class EffectQueue {
 public:
  void add(std::int64_t at_ns, Effect effect);
  /// Runs all effects up to then. Where another thread runs effects, it waits for that thread.
  void settle(std::int64_t until_ns);
  /// The same, but returns at once where another thread runs effects.
  void settle_if_free(std::int64_t until_ns);
  std::size_t size() const;

 private:
  struct Entry {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;
    Effect effect;
  };
  void run_up_to(std::int64_t until_ns);
  static bool is_later(const Entry& one, const Entry& other);
  Effect take_due(std::int64_t until_ns);

  std::recursive_mutex running_;
  mutable std::mutex state_;
  std::vector<Entry> entries_;  ///< a heap with the earliest in front
  std::uint64_t added_ = 0;
};

}  // namespace stepgate::emulator
