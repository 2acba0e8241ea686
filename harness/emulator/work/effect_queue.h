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
  /// The same until a thread waits for such a function that may not run it.
  bool wait_for_wanted_function(std::chrono::milliseconds longest) const;
  /// From now on functions run in this thread alone, and others that come to one wait for it; `{}`: in any thread. A
  /// function inside of another effect runs where that does.
  void give_functions_to(std::thread::id thread);

 private:
  struct Entry {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;
    Effect effect;
    EffectKind kind = EffectKind::memory;
  };
  struct Due {
    bool waits = false;  ///< for a function that another thread is in, or has to run
    std::uint64_t ended_functions = 0;
    Entry entry;  ///< without an effect where nothing is due
  };
  struct RunningFunction {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;
    std::thread::id thread;
  };
  std::optional<std::uint64_t> run_up_to(std::int64_t until_ns);
  void run_function(const Entry& entry) noexcept;
  static bool is_later(const Entry& one, const Entry& other);
  Due take_due(std::int64_t until_ns);
  bool waits_for_other_thread(std::int64_t until_ns, std::uint64_t number) const;
  bool is_of_other_thread(const Entry& entry) const;
  std::optional<std::int64_t> first_function_ns() const;

  std::recursive_mutex running_;
  int depth_ = 0;  ///< of effects within effects; of who has running_
  mutable std::mutex state_;
  mutable std::condition_variable function_added_;
  mutable std::condition_variable function_wanted_;
  std::condition_variable function_ended_;
  std::vector<Entry> entries_;  ///< a heap with the earliest in front
  std::vector<RunningFunction> functions_;
  std::thread::id function_thread_;
  std::size_t waiting_functions_ = 0;  ///< among the entries
  std::int64_t wanted_ns_ = -1;        ///< up to when a thread has waited for functions that it may not run
  std::uint64_t ended_functions_ = 0;
  std::uint64_t added_ = 0;
};

}  // namespace stepgate::emulator
