// What planned operations will do to memory, in the order of their ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

enum class EffectKind {
  memory,    ///< of the machine: it ends by itself
  function,  ///< of the program: it may wait for another thread
};

inline EffectKind effect_kind_of(const Operation& operation) {
  return operation.kind == OperationKind::host_function ? EffectKind::function : EffectKind::memory;
}

/// Effects run one at a time, in the order of time, and where times are equal in the order in which they were added. An
/// effect may itself call the machine. While a thread is in a function of the program, others run the effects before
/// it; those behind it wait.
class EffectQueue {
 public:
  void add(std::int64_t at_ns, Effect effect, EffectKind kind = EffectKind::memory);
  /// Runs all effects up to then. Where another thread runs effects of that time, it waits for that thread.
  void settle(std::int64_t until_ns);
  /// The same, but returns at once where another thread runs effects.
  void settle_if_free(std::int64_t until_ns);
  std::size_t size() const;

  /// When the first function of the program is due that no thread is in; absent where there is none.
  std::optional<std::int64_t> next_function_ns() const;
  /// Sleeps until there is such a function, but no longer than that; whether there is one.
  bool wait_for_function(std::chrono::milliseconds longest) const;

 private:
  struct Entry {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;
    Effect effect;
    EffectKind kind = EffectKind::memory;
  };
  struct Due {
    bool is_behind_function = false;  ///< that another thread is in
    Entry entry;                      ///< without an effect where nothing is due
  };
  struct RunningFunction {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;
    std::thread::id thread;
  };
  bool run_up_to(std::int64_t until_ns);
  void run_function(const Entry& entry) noexcept;
  static bool is_later(const Entry& one, const Entry& other);
  Due take_due(std::int64_t until_ns);
  bool waits_for_other_thread(std::int64_t until_ns, std::uint64_t number) const;

  std::recursive_mutex running_;
  mutable std::mutex state_;
  mutable std::condition_variable function_added_;
  std::condition_variable function_ended_;
  std::vector<Entry> entries_;  ///< a heap with the earliest in front
  std::vector<RunningFunction> functions_;
  std::size_t waiting_functions_ = 0;  ///< among the entries
  std::uint64_t added_ = 0;
};

}  // namespace stepgate::emulator
