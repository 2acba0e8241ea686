// Handles, plans and descriptors of the math libraries, and what a handle of a library keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

/// What each handle of a library keeps, whatever the library.
struct MathHandle {
  StreamHandle stream = default_stream;
  int math_mode = 0;     ///< the library's own number of it
  int pointer_mode = 0;  ///< the same
};

/// Objects of one kind that a library gives out. Their handles are numbers that are used once, so a handle that was
/// destroyed is found and not dereferenced. A program may use a handle in several threads one after another.
template <typename State>
class MathShelf {
 public:
  explicit MathShelf(std::uint64_t first = first_handle, std::uint64_t step = handle_step)
      : next_(first), step_(step) {}

  std::uint64_t add(State state) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = next_;
    next_ += step_;
    states_.emplace(number, std::move(state));
    return number;
  }

  /// nullptr for a number that is not, or no longer, in use. Valid until its removal.
  State* find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto at = states_.find(number);
    return at == states_.end() ? nullptr : &at->second;
  }

  bool remove(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    return states_.erase(number) == 1;
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return states_.size();
  }

  // Where the library's handle is a pointer to a type that its header leaves open.
  template <typename Pointer>
  Pointer add_as(State state) {
    return reinterpret_cast<Pointer>(static_cast<std::uintptr_t>(add(std::move(state))));
  }
  State* find(const void* handle) { return find(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle))); }
  bool remove(const void* handle) {
    return remove(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle)));
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t next_;
  std::uint64_t step_;
  std::map<std::uint64_t, State> states_;
};

}  // namespace stepgate::emulator
